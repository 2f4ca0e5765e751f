package io.gpuvm.softgpu.sm;

import java.lang.ref.ReferenceQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// The kernels of a GPU by their content: those that are in use, and those that were lately.
///
/// It finds a kernel for as long as anybody holds it, and itself holds a bounded number of them.
/// Kernels that have been compiled, which takes having run for long, are kept apart from others, so
/// that a guest with ever new kernels drives out few. Any thread.
final class KernelTable {
    private final Map<KernelContent, KernelReference> known = new HashMap<>();
    private final ReferenceQueue<Kernel> gone = new ReferenceQueue<>();
    private final AtomicLong uses = new AtomicLong();
    private final RecentKernels compiled;
    private final RecentKernels others;
    private int classes;

    /// @param most instructions of the compiled kernels that it keeps, and as many of others
    KernelTable(int most) {
        compiled = new RecentKernels(most);
        others = new RecentKernels(most);
    }

    /// The kernel with a content.
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

    /// A multiprocessor takes up a kernel, or leaves it.
    void use(Kernel kernel) {
        kernel.usedAt(uses.incrementAndGet());
        if (!kernel.isKept()) {
            keep(kernel);
        }
    }

    private synchronized void keep(Kernel kernel) {
        (kernel.isSettled() ? compiled : others).add(kernel);
    }

    /// A kernel has been compiled, or can't be.
    synchronized void settle(Kernel kernel) {
        if (kernel.compiled() != null) {
            kernel.reference().classDefined();
            classes++;
        }
        kernel.usedAt(uses.incrementAndGet());
        others.remove(kernel);
        compiled.add(kernel);
    }

    /// How many classes there are, as far as the garbage collector has said.
    synchronized int classes() {
        forget();
        return classes;
    }

    /// How many kernels it finds.
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
