package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.Rectangle;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/// Stream of work that the GPU executes in the order of the calls; work of different streams is
/// unordered.
///
/// Unless documented otherwise, a call returns before its work is done. It throws [GpuException]
/// with [GpuError#INVALID_VALUE] for invalid arguments, with [GpuError#INVALID_HANDLE] for objects
/// that are closed or belong to another context, and with the error of earlier work that failed on
/// any stream of the context.
///
/// Any thread; concurrent calls on one stream are executed in an unspecified order.
public final class GpuStream implements AutoCloseable {
    private static final int BYTE_LIMIT = 1 << Byte.SIZE;

    private final GpuContext context;
    private final CommandQueue queue;

    /// Number of this stream's last submission.
    private final AtomicLong last = new AtomicLong();

    private final AtomicBoolean closed = new AtomicBoolean();

    GpuStream(GpuContext context, CommandQueue queue) {
        this.context = context;
        this.queue = queue;
    }

    /// Copies to the GPU. Returns once the source can be reused.
    ///
    /// @param source memory of any kind
    public void copyToDevice(DeviceMemory target, long targetOffset, MemorySegment source) {
        check();
        target.allocation().range(context, "target", targetOffset, source.byteSize());
        submitted(context.pageable().toDevice(queue, target, targetOffset, source));
    }

    /// Copies to the GPU; the caller must not change the source until the copy is done.
    public void copyToDevice(
            DeviceMemory target,
            long targetOffset,
            PinnedMemory source,
            long sourceOffset,
            long bytes) {
        copy(target, targetOffset, (GpuBuffer) source, sourceOffset, bytes);
    }

    /// Copies from the GPU. Returns once the copy is done.
    ///
    /// @param target memory of any kind
    public void copyToHost(MemorySegment target, DeviceMemory source, long sourceOffset) {
        check();
        source.allocation().range(context, "source", sourceOffset, target.byteSize());
        context.pageable().toHost(queue, target, source, sourceOffset);
    }

    /// Copies from the GPU; the contents of the target are undefined until the copy is done.
    public void copyToHost(
            PinnedMemory target,
            long targetOffset,
            DeviceMemory source,
            long sourceOffset,
            long bytes) {
        copy(target, targetOffset, (GpuBuffer) source, sourceOffset, bytes);
    }

    /// Copies within the GPU's memory. If the ranges overlap, the result is undefined.
    public void copy(
            DeviceMemory target,
            long targetOffset,
            DeviceMemory source,
            long sourceOffset,
            long bytes) {
        copy(target, targetOffset, (GpuBuffer) source, sourceOffset, bytes);
    }

    /// Copies a rectangle between two buffers. Until the copy is done, the caller must not change
    /// pinned source memory or read pinned target memory. If source and target overlap, the result
    /// is undefined.
    ///
    /// @param width bytes of a line
    /// @param height number of lines
    public void copy2d(Pitched target, Pitched source, long width, long height) {
        submit(q -> {
            long to =
                    Allocation.of(target.buffer()).lines(context, "target", target, width, height);
            long from =
                    Allocation.of(source.buffer()).lines(context, "source", source, width, height);
            return RectangleCopy.copy(
                    q, new Rectangle(to, target.pitch(), from, source.pitch(), width, height));
        });
    }

    /// Copies a box between two buffers, like [#copy2d].
    ///
    /// @param width bytes of a line
    /// @param height number of lines of a slice
    /// @param depth number of slices
    public void copy3d(Slices target, Slices source, long width, long height, long depth) {
        submit(new BoxCopy(target, source, width, height, depth));
    }

    /// Fills memory with a byte.
    ///
    /// @param value value of the byte, -128 to 255
    public void fill(DeviceMemory target, long offset, long bytes, int value) {
        if (value < Byte.MIN_VALUE || value >= BYTE_LIMIT) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "fill value=%d, expected %d to %d"
                            .formatted(value, Byte.MIN_VALUE, BYTE_LIMIT - 1));
        }
        fill(target, offset, bytes, FillPattern.ofByte(value));
    }

    /// Fills memory with a repeated value.
    ///
    /// @param offset offset of the first element in bytes
    /// @param count number of elements
    public void fill(GpuBuffer target, long offset, long count, FillPattern pattern) {
        submit(Fill.line(target, offset, count, pattern));
    }

    /// Fills a rectangle with a repeated value.
    ///
    /// @param width number of elements of a line
    /// @param height number of lines
    public void fill2d(Pitched target, long width, long height, FillPattern pattern) {
        submit(new Fill(target, width, height, pattern));
    }

    /// Returns whether the next call of [#launch], [#record] or [#await] does not wait for room in
    /// the queue of commands.
    public boolean hasRoom() {
        check();
        queue.lock();
        try {
            return queue.hasRoom();
        } finally {
            queue.unlock();
        }
    }

    /// Submits work as far as the queue of commands has room; does not wait. If the result is
    /// false, the caller offers the same work again later, and no other work before it.
    ///
    /// @return whether the work is completely submitted
    public boolean offer(GpuWork work) {
        check();
        queue.lock();
        try {
            work.check(context);
            while (!work.isComplete() && queue.hasRoom()) {
                submitted(work.submitNext(queue));
            }
            return work.isComplete();
        } finally {
            queue.unlock();
        }
    }

    /// Submits the copy of one range if the queue of commands has room and a single submission
    /// suffices; does not wait. If the result is false, nothing is submitted, and the caller offers
    /// a [BoxCopy] instead.
    ///
    /// @return whether the copy is submitted
    public boolean offerLine(
            GpuBuffer target, long targetOffset, GpuBuffer source, long sourceOffset, long bytes) {
        check();
        queue.lock();
        try {
            long to = Allocation.of(target).range(context, "target", targetOffset, bytes);
            long from = Allocation.of(source).range(context, "source", sourceOffset, bytes);
            if (bytes == 0) {
                return true;
            }
            long number = RectangleCopy.tryLine(queue, to, from, bytes);
            if (number == 0) {
                return false;
            }
            submitted(number);
            return true;
        } finally {
            queue.unlock();
        }
    }

    /// Checks the ranges of work that is offered later.
    ///
    /// @throws GpuException as a call for this work does
    public void check(GpuWork work) {
        check();
        work.check(context);
    }

    /// Runs a kernel.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] or [GpuError#OUT_OF_RESOURCES] if the kernel
    ///   does not permit the shape or the arguments
    public void launch(GpuKernel kernel, LaunchShape shape, Arguments arguments) {
        check();
        submitted(context.launches().launch(queue, kernel, shape, arguments));
    }

    /// Runs a kernel with arguments in the layout of its parameters, if the queue of commands has
    /// room; does not wait. Successive launches join one submission, which costs less than a
    /// submission each. The GPU starts it at [GpuContext#flush()], or at another call that submits
    /// work to the stream, waits for it or takes its position.
    ///
    /// @param parameters values of all parameters from the first on, at least as long as the
    ///   parameters; addresses in them are not checked
    /// @return whether the kernel runs
    /// @throws GpuException as [#launch]
    public boolean offerLaunch(GpuKernel kernel, LaunchShape shape, MemorySegment parameters) {
        check();
        long number = context.launches().tryLaunch(queue, kernel, shape, parameters);
        submitted(number);
        return number != 0;
    }

    /// Records an event at this point of the stream.
    public void record(GpuEvent event) {
        submit(q -> event.record(context, q));
    }

    /// Makes later work of this stream wait for the last recording of an event of any stream.
    public void await(GpuEvent event) {
        submit(q -> event.await(context, q));
    }

    /// Returns the current point of this stream.
    public GpuPoint point() {
        check();
        queue.flush();
        return new GpuPoint(context, queue, last.get());
    }

    /// Returns the number of the current point of this stream, for [#isDone(long)].
    public long position() {
        queue.flush();
        return last.get();
    }

    /// Returns whether all work before a point of this stream is done. Does not wait, and may be
    /// called after the stream is closed.
    ///
    /// @param position number of the point, from [#position()]
    /// @throws GpuException as [GpuPoint#isDone()]
    public boolean isDone(long position) {
        boolean done = queue.isDone(position);
        // A kernel's error is reported before the channel resumes.
        context.check();
        return done;
    }

    /// Makes later work of this stream wait for a point of any stream of the context.
    public void await(GpuPoint point) {
        submit(q -> point.await(context, q));
    }

    /// Returns whether all submitted work of this stream is done.
    public boolean isDone() {
        boolean done = queue.isDone(last.get());
        // A kernel's error is reported before the channel resumes.
        check();
        return done;
    }

    /// Waits until all submitted work of this stream is done.
    public void synchronize() {
        check();
        queue.await(last.get());
    }

    /// Closes the stream without waiting for its work. A second call has no effect. A call for the
    /// context's default stream has no effect.
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
            return RectangleCopy.copy(q, Rectangle.line(to, from, bytes));
        });
    }

    /// Submits work, and waits for room.
    private void submit(GpuWork work) {
        check();
        queue.lock();
        try {
            work.check(context);
            while (!work.isComplete()) {
                submitted(work.submitNext(queue));
            }
        } finally {
            queue.unlock();
        }
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
