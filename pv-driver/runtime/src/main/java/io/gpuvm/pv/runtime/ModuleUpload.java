package io.gpuvm.pv.runtime;

import io.gpuvm.pv.module.ModuleException;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// Load of a module that a thread advances without waiting. One thread at a time.
public final class ModuleUpload implements AutoCloseable {
    private final GpuContext context;
    private final Launches launches;
    private final ModuleImage image;
    private final Allocation memory;
    private final PinnedMemory staging;
    private final BoxCopy copy;
    private final Fill zeros;
    private GpuPoint end;
    private GpuModule module;

    /// @throws GpuException [GpuError#INVALID_IMAGE] if the image cannot lie at the allocated
    ///   address, [GpuError#OUT_OF_MEMORY] if not enough memory is left
    ModuleUpload(GpuContext context, Memories memories, Launches launches, ModuleImage image) {
        this.context = context;
        this.launches = launches;
        this.image = image;
        VramHeap.Taken taken = memories.takePages(image.bytes());
        memory = new Allocation(context, taken.gpuVa(), image.bytes(), taken.release());
        try {
            byte[] contents = image.contentsAt(taken.gpuVa());
            HostMemory host = memories.takeHost(contents.length);
            Allocation part = new Allocation(context, host.gpuVa(), contents.length, host::close);
            staging = new PinnedMemory(part, host.segment());
            MemorySegment.copy(
                    MemorySegment.ofArray(contents), 0, host.segment(), 0, contents.length);
            DeviceMemory whole = new DeviceMemory(memory, true);
            copy = BoxCopy.line(whole, 0, staging, 0, contents.length);
            zeros =
                    Fill.line(
                            whole,
                            contents.length,
                            image.bytes() - contents.length,
                            FillPattern.ofByte(0));
        } catch (ModuleException e) {
            memory.close();
            throw new GpuException(GpuError.INVALID_IMAGE, e.getMessage(), e);
        } catch (GpuException e) {
            memory.close();
            throw e;
        }
    }

    /// Submits the rest of the copy as far as the context's default stream has room, and checks
    /// whether the copy is done.
    ///
    /// @return the module once it is loaded, otherwise null
    /// @throws GpuException if the context fails
    public GpuModule advance() {
        GpuStream stream = context.defaultStream();
        if (end == null && stream.offer(copy) && stream.offer(zeros)) {
            end = stream.point();
        }
        if (module == null && end != null && end.isDone()) {
            staging.close();
            launches.codeChanged();
            module = new GpuModule(context, memory, image);
        }
        return module;
    }

    /// Ends the load and frees its memory, unless the module is loaded. The submitted part of the
    /// copy still completes.
    @Override
    public void close() {
        if (module == null) {
            staging.close();
            memory.close();
        }
    }
}
