package io.gpuvm.pv.runtime;

import io.gpuvm.pv.module.ModuleException;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// Load of a module that a thread advances without waiting. Each step copies a part of the image,
/// so that it takes a short time, regardless of the length. One thread at a time, except for
/// [#prepare()].
public final class ModuleUpload implements AutoCloseable {
    /// Length of the part of an image that one step copies, in bytes.
    private static final int PART_BYTES = 1 << 19;

    private final GpuContext context;
    private final Memories memories;
    private final Launches launches;
    private final ModuleImage image;
    private final Allocation memory;
    private final DeviceMemory whole;
    private final Fill zeros;

    /// Memory for a part of the contents; null before [#allocateStaging()].
    private PinnedMemory staging;

    /// Contents for the memory's address; null before [#prepare()].
    private volatile byte[] contents;

    /// Number of bytes that are in the staging memory or in the GPU's memory.
    private int copied;

    /// Copy of a part that is not completely submitted; null if there is none.
    private BoxCopy part;

    /// End of the last copy; null if it is not completely submitted.
    private GpuPoint end;

    private GpuModule module;

    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if not enough memory is left
    ModuleUpload(GpuContext context, Memories memories, Launches launches, ModuleImage image) {
        this.context = context;
        this.memories = memories;
        this.launches = launches;
        this.image = image;
        VramHeap.Taken taken = memories.takePages(image.bytes());
        Runnable release = context.modules().releaseOf(taken);
        memory = new Allocation(context, taken.gpuVa(), image.bytes(), release);
        whole = new DeviceMemory(memory, true);
        zeros =
                Fill.line(
                        whole,
                        image.contentsBytes(),
                        image.bytes() - image.contentsBytes(),
                        FillPattern.ofByte(0));
    }

    /// Allocates the memory through which the image is copied. Called once before [#advance()];
    /// after an error, the caller may repeat the call. The GPU's memory remains allocated
    /// meanwhile: if each attempt freed it, the caller could not distinguish this release from
    /// those for which an attempt may wait.
    ///
    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if not enough memory is left
    public void allocateStaging() {
        context.assertions().prepare(image);
        int bytes = (int) Math.min(PART_BYTES, image.contentsBytes());
        HostMemory host = memories.takeHost(bytes);
        Allocation ofPart = new Allocation(context, host.gpuVa(), bytes, host::close);
        staging = new PinnedMemory(ofPart, host.segment());
    }

    /// Computes the contents for the allocated address, which takes time in proportion to their
    /// length; the image has no contents afterwards. Called once, before [#advance()]. Any thread.
    ///
    /// @throws GpuException [GpuError#INVALID_IMAGE] if the image cannot lie at this address
    public void prepare() {
        try {
            byte[] moved = image.moveTo(memory.gpuVa());
            context.assertions().connect(image, moved);
            contents = moved;
        } catch (ModuleException e) {
            throw new GpuException(GpuError.INVALID_IMAGE, e.getMessage(), e);
        }
    }

    /// Submits the next part of the copy as far as the context's default stream has room, and
    /// checks whether the copy is done.
    ///
    /// @return the module once it is loaded, otherwise null
    /// @throws GpuException if the context fails
    public GpuModule advance() {
        if (module == null && advanceCopy()) {
            staging.close();
            launches.codeChanged();
            module = new GpuModule(context, memory, image);
            context.modules().add(module);
        }
        return module;
    }

    /// @return whether the copy is done
    private boolean advanceCopy() {
        GpuStream stream = context.defaultStream();
        if (end != null && !end.isDone()) {
            return false;
        }
        if (end != null && copied == contents.length) {
            return true;
        }
        if (part == null) {
            part = nextPart();
            end = null;
        }
        if (stream.offer(part) && (copied < contents.length || stream.offer(zeros))) {
            part = null;
            end = stream.point();
        }
        return false;
    }

    /// Copies the next part of the contents to the staging memory.
    private BoxCopy nextPart() {
        int bytes = Math.min(PART_BYTES, contents.length - copied);
        MemorySegment.copy(MemorySegment.ofArray(contents), copied, staging.segment(), 0, bytes);
        BoxCopy next = BoxCopy.line(whole, copied, staging, 0, bytes);
        copied += bytes;
        return next;
    }

    /// Ends the load and frees its memory, unless the module is loaded. The submitted part of the
    /// copy still completes.
    @Override
    public void close() {
        if (module == null) {
            if (staging != null) {
                staging.close();
            }
            memory.close();
        }
    }
}
