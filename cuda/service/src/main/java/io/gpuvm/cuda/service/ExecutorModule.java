package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.ModuleDescription;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import java.util.List;

/// Module of a client, loaded or being loaded.
final class ExecutorModule {
    private final ExecutorContext context;
    private final AddressMap addresses;

    /// Module of the runtime; null while it is being loaded.
    private GpuModule gpu;

    private List<GpuKernel> kernels;
    private MemoryRange range;
    private long partBytes;

    /// @param addresses receives the module's memory
    ExecutorModule(ExecutorContext context, AddressMap addresses) {
        this.context = context;
        this.addresses = addresses;
    }

    ExecutorContext context() {
        return context;
    }

    /// @param bytes memory of this process for the parts of the module
    void onLoaded(GpuModule module, long bytes) {
        gpu = module;
        partBytes = bytes;
        kernels = module.kernels();
        // As on hardware, a slot without a texture reads as zeros.
        module.textureNames().forEach(name -> module.texture(name).makeOptional());
        DeviceMemory memory = module.memory();
        range = new MemoryRange(context, memory.gpuVa(), memory, false);
        addresses.add(range);
    }

    /// @throws CudaCallException if the module is being loaded
    GpuModule gpu() {
        if (gpu == null) {
            throw new CudaCallException(
                    CudaResult.INVALID_HANDLE, "module is being loaded, expected a loaded module");
        }
        return gpu;
    }

    /// @param index index in the description
    /// @throws CudaCallException if the module has no such kernel, or is being loaded
    GpuKernel kernel(int index) {
        gpu();
        if (index < 0 || index >= kernels.size()) {
            throw new CudaCallException(
                    CudaResult.INVALID_HANDLE,
                    "kernel index=%d, limit=%d"
                            .formatted(Integer.toUnsignedLong(index), kernels.size() - 1));
        }
        return kernels.get(index);
    }

    ModuleDescription description() {
        return ModuleDescriptions.of(gpu, kernels);
    }

    /// Unloads the module once all earlier operations are submitted.
    void close() {
        addresses.remove(range);
        context.release(() -> {
            gpu.close();
            context.giveBackModule(partBytes);
        });
    }
}
