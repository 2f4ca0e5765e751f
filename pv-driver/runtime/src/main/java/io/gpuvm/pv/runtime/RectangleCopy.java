package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.gf100.push.Rectangle;

/// Copy of a rectangle, in several submissions if the rectangle is large. One thread at a time,
/// with the queue's lock.
final class RectangleCopy {
    /// Minimum length of a copy that occupies the GPU for long: some tens of microseconds.
    private static final long LONG_BYTES = 1 << 18;

    /// Rectangle without gaps between lines in source and target: a single line.
    private final Rectangle whole;

    /// Bytes of each line before the next part.
    private long column;

    /// Lines before the next part.
    private long line;

    RectangleCopy(Rectangle rectangle) {
        boolean adjacent =
                rectangle.targetPitch() == rectangle.lineBytes()
                        && rectangle.sourcePitch() == rectangle.lineBytes();
        whole =
                adjacent
                        ? Rectangle.line(
                                rectangle.target(),
                                rectangle.source(),
                                rectangle.lineBytes() * rectangle.lines())
                        : rectangle;
    }

    /// Copies a rectangle.
    ///
    /// @return number of the last submission, 0 if there is nothing to copy
    static long copy(CommandQueue queue, Rectangle rectangle) {
        RectangleCopy copy = new RectangleCopy(rectangle);
        long number = 0;
        while (!copy.isComplete()) {
            number = copy.submitNext(queue);
        }
        return number;
    }

    /// Copies a single line if the queue has room and one submission suffices.
    ///
    /// @return number of the submission, 0 if the line is not submitted
    static long tryLine(CommandQueue queue, long target, long source, long bytes) {
        Rectangle line = Rectangle.line(target, source, bytes);
        Rectangle start = queue.copyUnit().startOf(line);
        boolean suffices = start.lineBytes() * start.lines() == bytes;
        return suffices && queue.hasRoom() ? submit(queue, queue.copyUnit(), start) : 0;
    }

    /// Returns whether all parts are submitted.
    boolean isComplete() {
        return column >= whole.lineBytes() || whole.lines() == 0;
    }

    /// Submits the next part.
    ///
    /// @return number of the submission
    long submitNext(CommandQueue queue) {
        Rectangle rest = whole.part(column, line, whole.lineBytes() - column, whole.lines() - line);
        if (whole.lines() == 1) {
            Rectangle next = queue.copyUnit().startOf(rest);
            column += next.lineBytes() * next.lines();
            return submit(queue, queue.copyUnit(), next);
        }
        CopyUnit unit = queue.copyUnit().takes(whole) ? queue.copyUnit() : CopyUnit.M2MF;
        Rectangle next = unit.cornerOf(rest);
        line += next.lines();
        if (line == whole.lines()) {
            line = 0;
            column += next.lineBytes();
        }
        return submit(queue, unit, next);
    }

    private static long submit(CommandQueue queue, CopyUnit unit, Rectangle part) {
        PushBuffer push = queue.begin(CopyUnit.WORDS);
        unit.copy(push, part);
        return queue.submit(part.lineBytes() * part.lines() >= LONG_BYTES);
    }
}
