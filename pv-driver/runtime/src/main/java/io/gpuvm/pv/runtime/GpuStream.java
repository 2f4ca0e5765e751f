package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.Rectangle;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/// Work that the GPU does in the order of the calls; work of different streams has no order.
///
/// A call returns before its work is done, unless it says otherwise. It throws [GpuException]:
/// [GpuError#INVALID_VALUE] for what makes no sense, [GpuError#INVALID_HANDLE] for what is closed
/// or another context's, and what went wrong with work before, on any stream of the context.
///
/// Any thread; what several threads submit to one stream is done in some order of theirs.
public final class GpuStream implements AutoCloseable {
    private static final int BYTE_LIMIT = 1 << Byte.SIZE;

    private final GpuContext context;
    private final CommandQueue queue;

    /// The number of this stream's last submission.
    private final AtomicLong last = new AtomicLong();

    private final AtomicBoolean closed = new AtomicBoolean();

    GpuStream(GpuContext context, CommandQueue queue) {
        this.context = context;
        this.queue = queue;
    }

    /// Copies to the GPU. Returns once the source can be used again.
    ///
    /// @param source memory of any kind
    public void copyToDevice(DeviceMemory target, long targetOffset, MemorySegment source) {
        check();
        target.allocation().range(context, "target", targetOffset, source.byteSize());
        submitted(context.pageable().toDevice(queue, target, targetOffset, source));
    }

    /// Copies to the GPU; the source stays as it is until that is done.
    public void copyToDevice(
            DeviceMemory target,
            long targetOffset,
            PinnedMemory source,
            long sourceOffset,
            long bytes) {
        copy(target, targetOffset, (GpuBuffer) source, sourceOffset, bytes);
    }

    /// Copies from the GPU. Returns once that is done.
    ///
    /// @param target memory of any kind
    public void copyToHost(MemorySegment target, DeviceMemory source, long sourceOffset) {
        check();
        source.allocation().range(context, "source", sourceOffset, target.byteSize());
        context.pageable().toHost(queue, target, source, sourceOffset);
    }

    /// Copies from the GPU; the target is written until that is done.
    public void copyToHost(
            PinnedMemory target,
            long targetOffset,
            DeviceMemory source,
            long sourceOffset,
            long bytes) {
        copy(target, targetOffset, (GpuBuffer) source, sourceOffset, bytes);
    }

    /// Copies inside of the GPU. If the ranges overlap, what is copied is undefined.
    public void copy(
            DeviceMemory target,
            long targetOffset,
            DeviceMemory source,
            long sourceOffset,
            long bytes) {
        copy(target, targetOffset, (GpuBuffer) source, sourceOffset, bytes);
    }

    /// Copies a rectangle between memory that the GPU reaches; pinned memory stays as it is, or is
    /// written, until that is done. If the two places overlap, what is copied is undefined.
    ///
    /// @param width bytes of a line
    /// @param height lines
    public void copy2d(Pitched target, Pitched source, long width, long height) {
        submit(q -> {
            long to =
                    Allocation.of(target.buffer()).lines(context, "target", target, width, height);
            long from =
                    Allocation.of(source.buffer()).lines(context, "source", source, width, height);
            return Copies.copy(
                    q, new Rectangle(to, target.pitch(), from, source.pitch(), width, height));
        });
    }

    /// Fills memory with a byte.
    ///
    /// @param value -128 to 255
    public void fill(DeviceMemory target, long offset, long bytes, int value) {
        if (value < Byte.MIN_VALUE || value >= BYTE_LIMIT) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "fill value=%d, limit=%d..%d".formatted(value, Byte.MIN_VALUE, BYTE_LIMIT - 1));
        }
        submit(q -> {
            long gpuVa = target.allocation().range(context, "target", offset, bytes);
            return Copies.fill(q, gpuVa, bytes, (byte) value);
        });
    }

    /// Runs a kernel.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] or [GpuError#OUT_OF_RESOURCES] if the shape,
    ///   or the arguments, are not what it takes
    public void launch(GpuKernel kernel, LaunchShape shape, Arguments arguments) {
        check();
        submitted(context.launches().launch(queue, kernel, shape, arguments));
    }

    /// Marks this point.
    public void record(GpuEvent event) {
        submit(q -> event.record(context, q));
    }

    /// Has what follows wait for an event of any stream, as it was recorded last.
    public void await(GpuEvent event) {
        submit(q -> event.await(context, q));
    }

    /// Whether everything submitted so far is done.
    public boolean isDone() {
        boolean done = queue.isDone(last.get());
        // A kernel's error is told before the channel goes on behind it.
        check();
        return done;
    }

    /// Waits until everything submitted so far is done.
    public void synchronize() {
        check();
        queue.await(last.get());
    }

    /// Ends the stream once its work is done, without waiting for that. A second call does nothing,
    /// nor does one for the context's default stream.
    @Override
    public void close() {
        if (this != context.defaultStream() && closed.compareAndSet(false, true)) {
            context.giveBack(queue);
        }
    }

    private void copy(
            GpuBuffer target, long targetOffset, GpuBuffer source, long sourceOffset, long bytes) {
        submit(q -> {
            long to = Allocation.of(target).range(context, "target", targetOffset, bytes);
            long from = Allocation.of(source).range(context, "source", sourceOffset, bytes);
            return Copies.copy(q, Rectangle.line(to, from, bytes));
        });
    }

    private void submit(ToLongFunction<CommandQueue> work) {
        check();
        queue.lock();
        try {
            submitted(work.applyAsLong(queue));
        } finally {
            queue.unlock();
        }
    }

    private void submitted(long number) {
        last.accumulateAndGet(number, Math::max);
    }

    private void check() {
        if (closed.get()) {
            throw new GpuException(GpuError.INVALID_HANDLE, "stream is closed");
        }
        context.check();
    }
}
