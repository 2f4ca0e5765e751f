package io.gpuvm.softgpu.sm;

import java.lang.ref.ReferenceQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Kernels of a GPU that are in use or were recently used, by content.
///
/// The table finds a kernel while any object refers to the kernel, and itself refers to a bounded
/// number of kernels. Compiled kernels are kept separately from other kernels, so that a guest that
/// constantly creates new kernels evicts few compiled kernels. Any thread.
final class KernelTable {
    private final Map<KernelContent, KernelReference> known = new HashMap<>();
    private final ReferenceQueue<Kernel> gone = new ReferenceQueue<>();
    private final AtomicLong uses = new AtomicLong();
    private final RecentKernels compiled;
    private final RecentKernels others;
    private int classes;

    /// @param most maximum total number of instructions of the compiled kernels that the table
    ///   keeps, and likewise of the other kernels
    KernelTable(int most) {
        compiled = new RecentKernels(most);
        others = new RecentKernels(most);
    }

    /// Returns the kernel with the given content, which is created if necessary.
    synchronized Kernel kernel(KernelContent content) {
        forget();
        KernelReference reference = known.get(content);
        Kernel kernel = reference == null ? null : reference.get();
        if (kernel == null) {
            kernel = new Kernel(content);
            kernel.reference(new KernelReference(kernel, gone));
            known.put(content, kernel.reference());
        }
        use(kernel);
        return kernel;
    }

    /// Records that a multiprocessor begins or ends using a kernel.
    void use(Kernel kernel) {
        kernel.usedAt(uses.incrementAndGet());
        if (!kernel.isKept()) {
            keep(kernel);
        }
    }

    private synchronized void keep(Kernel kernel) {
        (kernel.isSettled() ? compiled : others).add(kernel);
    }

    /// Records that a kernel has been compiled or cannot be compiled.
    synchronized void settle(Kernel kernel) {
        if (kernel.compiled() != null) {
            kernel.reference().classDefined();
            classes++;
        }
        kernel.usedAt(uses.incrementAndGet());
        others.remove(kernel);
        compiled.add(kernel);
    }

    /// Returns the number of classes that the garbage collector has not yet reported as unloaded.
    synchronized int classes() {
        forget();
        return classes;
    }

    /// Returns the number of kernels that can be found.
    synchronized int size() {
        forget();
        return known.size();
    }

    private void forget() {
        while (gone.poll() instanceof KernelReference reference) {
            known.remove(reference.content(), reference);
            classes -= reference.hasClass() ? 1 : 0;
        }
    }
}
