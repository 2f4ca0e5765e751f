package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.device.KernelPosition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Modules in a context's memory by their addresses, which are the addresses of their code. A
/// module stays here until its memory is free, so that a kernel that fails after the module was
/// closed still has a name. Any thread.
final class LoadedModules {
    private final Map<Long, GpuModule> byAddress = new ConcurrentHashMap<>();

    /// Returns the release of a module's memory, which also removes the module.
    Runnable releaseOf(VramHeap.Taken taken) {
        return () -> {
            byAddress.remove(taken.gpuVa());
            taken.release().run();
        };
    }

    void add(GpuModule module) {
        byAddress.put(module.gpuVa(), module);
    }

    /// Returns the kernel and the line of a position.
    KernelFault locate(KernelPosition position) {
        GpuModule module = byAddress.get(position.codeGpuVa());
        return module == null ? new KernelFault(position, null, null) : module.locate(position);
    }
}
