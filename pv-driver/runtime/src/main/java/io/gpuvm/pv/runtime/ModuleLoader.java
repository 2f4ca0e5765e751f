package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.ModuleException;
import io.gpuvm.pv.module.ModuleImage;
import java.lang.foreign.MemorySegment;

/// Loader of modules into the GPU's memory. Any thread.
final class ModuleLoader {
    private final GpuContext context;
    private final Memories memories;
    private final Launches launches;

    ModuleLoader(GpuContext context, Memories memories, Launches launches) {
        this.context = context;
        this.memories = memories;
        this.launches = launches;
    }

    /// Loads a module. Returns once the module is in the GPU's memory.
    ///
    /// @throws GpuException [GpuError#INVALID_IMAGE] if the GPU cannot run the module,
    ///   [GpuError#OUT_OF_MEMORY] if not enough memory is left
    GpuModule load(GpuStream stream, Cubin cubin) {
        try {
            ModuleImage image = ModuleImage.of(cubin);
            image.kernels().forEach(ModuleLoader::check);
            return place(stream, image);
        } catch (ModuleException e) {
            throw new GpuException(GpuError.INVALID_IMAGE, e.getMessage(), e);
        }
    }

    /// Begins to load a module.
    ///
    /// @throws GpuException as [#load]
    ModuleUpload begin(ModuleImage image) {
        image.kernels().forEach(ModuleLoader::check);
        return new ModuleUpload(context, memories, launches, image);
    }

    private static void check(KernelImage kernel) {
        int end = kernel.parameterOffset() + kernel.parameterBytes();
        if (end > LaunchConstants.BYTES) {
            throw new GpuException(
                    GpuError.INVALID_IMAGE,
                    "kernel %s: end of parameters=%d, limit=%d"
                            .formatted(kernel.name(), end, LaunchConstants.BYTES));
        }
    }

    private GpuModule place(GpuStream stream, ModuleImage image) {
        VramHeap.Taken taken = memories.takePages(image.bytes());
        Runnable release = context.modules().releaseOf(taken);
        Allocation memory = new Allocation(context, taken.gpuVa(), image.bytes(), release);
        try {
            context.assertions().prepare(image);
            byte[] contents = image.contentsAt(taken.gpuVa());
            context.assertions().connect(image, contents);
            DeviceMemory whole = new DeviceMemory(memory, true);
            stream.copyToDevice(whole, 0, MemorySegment.ofArray(contents));
            stream.fill(whole, contents.length, image.bytes() - contents.length, 0);
            stream.synchronize();
            launches.codeChanged();
            GpuModule loaded = new GpuModule(context, memory, image);
            context.modules().add(loaded);
            return loaded;
        } catch (ModuleException | GpuException e) {
            memory.close();
            throw e;
        }
    }
}
