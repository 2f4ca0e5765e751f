package io.gpuvm.softgpu.sm;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/// A kernel for as long as somebody else keeps it, and its content for longer.
final class KernelReference extends WeakReference<Kernel> {
    private final KernelContent content;
    private boolean hasClass;

    KernelReference(Kernel kernel, ReferenceQueue<Kernel> gone) {
        super(kernel, gone);
        content = kernel.content();
    }

    KernelContent content() {
        return content;
    }

    /// Whether a class goes with it.
    boolean hasClass() {
        return hasClass;
    }

    void classDefined() {
        hasClass = true;
    }
}
