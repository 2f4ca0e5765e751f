package io.gpuvm.softgpu.sm;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/// Weak reference to a kernel, which retains the kernel's content when the kernel is collected.
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

    /// Returns whether the kernel has a class.
    boolean hasClass() {
        return hasClass;
    }

    void classDefined() {
        hasClass = true;
    }
}
