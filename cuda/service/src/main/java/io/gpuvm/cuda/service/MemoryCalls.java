package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.CallChecks.guarded;

import io.gpuvm.pv.runtime.BoxCopy;
import io.gpuvm.pv.runtime.Fill;
import io.gpuvm.pv.runtime.FillPattern;
import io.gpuvm.pv.runtime.GpuBuffer;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuWork;
import io.gpuvm.pv.runtime.Pitched;
import io.gpuvm.pv.runtime.Slices;

/// Calls that allocate, copy and fill memory. Methods throw [CudaCallException] if the call is
/// refused.
final class MemoryCalls {
    private final SessionObjects objects;
    private final SessionContexts contexts;
    private final AreaUses area;

    MemoryCalls(SessionObjects objects, SessionContexts contexts, AreaUses area) {
        this.objects = objects;
        this.contexts = contexts;
        this.area = area;
    }

    void allocate(long context, long bytes, CallReply reply) {
        ExecutorContext owner = objects.context(context);
        owner.begin(new AllocationTask(owner, objects.memory(), bytes, reply));
    }

    void free(long address) {
        MemoryRange range = objects.memory().find(address);
        if (range == null || range.address() != address || !range.isAllocation()) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "address=%#x, expected the start of an allocation".formatted(address));
        }
        range.context().check();
        objects.memory().remove(range);
        range.context().release(range.memory()::close);
    }

    void readInfo(long context, CallReply reply) {
        ExecutorContext owner = objects.context(context);
        owner.begin(new MemoryInfoTask(owner, reply));
    }

    void copyToDevice(long call, long stream, long target, long source, long bytes) {
        ExecutorStream user = objects.stream(stream);
        GpuBuffer to = objects.buffer(user.context(), "target", target);
        copyLine(call, user, to, target - to.gpuVa(), user.context().area(), source, bytes);
    }

    void copyToArea(long call, long stream, long target, long source, long bytes) {
        ExecutorStream user = objects.stream(stream);
        GpuBuffer from = objects.buffer(user.context(), "source", source);
        copyLine(call, user, user.context().area(), target, from, source - from.gpuVa(), bytes);
    }

    void copy(long call, long stream, long target, long source, long bytes) {
        ExecutorStream user = objects.stream(stream);
        GpuBuffer to = objects.buffer(user.context(), "target", target);
        GpuBuffer from = objects.buffer(user.context(), "source", source);
        copyLine(call, user, to, target - to.gpuVa(), from, source - from.gpuVa(), bytes);
    }

    private void copyLine(
            long call,
            ExecutorStream stream,
            GpuBuffer to,
            long target,
            GpuBuffer from,
            long source,
            long bytes) {
        boolean usesArea = isArea(stream, to) || isArea(stream, from);
        contexts.checkRoomForOperation();
        stream.context().join(stream);
        if (copyNow(stream, to, target, from, source, bytes)) {
            if (usesArea) {
                area.begin(call).endsAfter(stream.gpu());
            }
            stream.context().acted(stream);
        } else {
            add(call, stream, BoxCopy.line(to, target, from, source, bytes), usesArea);
        }
    }

    /// Copies a line if no operation precedes it, the queue has room, and one submission suffices.
    ///
    /// @return false if the copy has to be added as an operation
    private static boolean copyNow(
            ExecutorStream stream,
            GpuBuffer to,
            long target,
            GpuBuffer from,
            long source,
            long bytes) {
        if (stream.hasPending()) {
            return false;
        }
        try {
            if (!stream.gpu().offerLine(to, target, from, source, bytes)) {
                return false;
            }
        } catch (GpuException e) {
            throw stream.context().refusal(e);
        }
        stream.addSubmitted();
        return true;
    }

    void copyBox(long call, long stream, CopyBox box) {
        ExecutorStream user = objects.stream(stream);
        Slices target = slices(user.context(), "target", box.target(), box.depth());
        Slices source = slices(user.context(), "source", box.source(), box.depth());
        GpuWork work =
                guarded(
                        user.context(),
                        () -> new BoxCopy(target, source, box.width(), box.height(), box.depth()));
        add(call, user, work, isArea(user, target.buffer()) || isArea(user, source.buffer()));
    }

    private Slices slices(ExecutorContext context, String name, CopyBox.Side side, long depth) {
        boolean isInArea = side.isInArea();
        GpuBuffer buffer = isInArea ? context.area() : objects.buffer(context, name, side.start());
        long offset = isInArea ? side.start() : side.start() - buffer.gpuVa();
        long slicePitch = 0;
        if (depth > 1) {
            try {
                slicePitch = Math.multiplyExact(side.pitch(), side.sliceLines());
            } catch (ArithmeticException _) {
                throw new CudaCallException(
                        CudaResult.INVALID_VALUE,
                        "pitch=%d, lines of a slice=%d, expected a product of 63 bits"
                                .formatted(side.pitch(), side.sliceLines()));
            }
        }
        return new Slices(buffer, offset, side.pitch(), slicePitch);
    }

    void fill(long call, long stream, long target, FillPattern pattern, long count) {
        ExecutorStream user = objects.stream(stream);
        GpuBuffer to = objects.buffer(user.context(), "target", target);
        long offset = target - to.gpuVa();
        GpuWork work = guarded(user.context(), () -> Fill.line(to, offset, count, pattern));
        add(call, user, work, isArea(user, to));
    }

    void fillRectangle(
            long call,
            long stream,
            long target,
            long pitch,
            FillPattern pattern,
            long width,
            long height) {
        ExecutorStream user = objects.stream(stream);
        GpuBuffer to = objects.buffer(user.context(), "target", target);
        Pitched lines = new Pitched(to, target - to.gpuVa(), pitch);
        GpuWork work = guarded(user.context(), () -> new Fill(lines, width, height, pattern));
        add(call, user, work, isArea(user, to));
    }

    /// Returns the pattern of a fill.
    ///
    /// @param elementBytes length of the value: 1, 2 or 4
    static FillPattern pattern(int elementBytes, int value) {
        return switch (elementBytes) {
            case Byte.BYTES -> FillPattern.ofByte(value);
            case Short.BYTES -> FillPattern.ofShort(value);
            case Integer.BYTES -> FillPattern.ofInt(value);
            default ->
                    throw new CudaCallException(
                            CudaResult.INVALID_VALUE,
                            "bytes of an element=%d, expected 1, 2 or 4".formatted(elementBytes));
        };
    }

    private static boolean isArea(ExecutorStream stream, GpuBuffer buffer) {
        return buffer == stream.context().area();
    }

    /// Adds a copy or fill to a stream.
    ///
    /// @param usesArea whether the work reads or writes the data area
    private void add(long call, ExecutorStream stream, GpuWork work, boolean usesArea) {
        try {
            stream.gpu().check(work);
        } catch (GpuException e) {
            throw stream.context().refusal(e);
        }
        contexts.checkRoomForOperation();
        AreaUses.Use use = usesArea ? area.begin(call) : null;
        try {
            stream.context().act(stream, new WorkOperation(call, work, use));
        } catch (CudaCallException e) {
            if (use != null) {
                use.end();
            }
            throw e;
        }
    }
}
