package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.InlineFill;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.gf100.push.Rectangle;

/// Submission of copies and fills to a queue. Called under the queue's lock.
final class Copies {
    /// Maximum number of steps of a fill in one submission.
    private static final int FILL_STEPS = 256;

    private Copies() {}

    /// Minimum length of a copy that occupies the GPU for long: some tens of microseconds.
    private static final long LONG_BYTES = 1 << 18;

    /// Copies a rectangle, in several submissions if it is large.
    ///
    /// @return number of the last submission, 0 if there is nothing to copy
    static long copy(CommandQueue queue, Rectangle whole) {
        if (whole.lineBytes() == 0 || whole.lines() == 0) {
            return 0;
        }
        if (whole.lines() == 1) {
            return copyLine(queue, whole);
        }
        boolean adjacent =
                whole.targetPitch() == whole.lineBytes()
                        && whole.sourcePitch() == whole.lineBytes();
        if (adjacent) {
            long bytes = whole.lineBytes() * whole.lines();
            return copyLine(queue, Rectangle.line(whole.target(), whole.source(), bytes));
        }
        return copyLines(queue, whole);
    }

    private static long copyLine(CommandQueue queue, Rectangle line) {
        long number = 0;
        for (long done = 0; done < line.lineBytes(); ) {
            Rectangle rest = line.part(done, 0, line.lineBytes() - done, 1);
            Rectangle next = queue.copyUnit().startOf(rest);
            number = submit(queue, queue.copyUnit(), next);
            done += next.lineBytes() * next.lines();
        }
        return number;
    }

    private static long copyLines(CommandQueue queue, Rectangle whole) {
        CopyUnit unit = queue.copyUnit().takes(whole) ? queue.copyUnit() : CopyUnit.M2MF;
        long number = 0;
        for (long column = 0; column < whole.lineBytes(); ) {
            long width = 0;
            for (long line = 0; line < whole.lines(); ) {
                Rectangle rest =
                        whole.part(column, line, whole.lineBytes() - column, whole.lines() - line);
                Rectangle next = unit.cornerOf(rest);
                number = submit(queue, unit, next);
                width = next.lineBytes();
                line += next.lines();
            }
            column += width;
        }
        return number;
    }

    private static long submit(CommandQueue queue, CopyUnit unit, Rectangle part) {
        PushBuffer push = queue.begin(CopyUnit.WORDS);
        unit.copy(push, part);
        return queue.submit(part.lineBytes() * part.lines() >= LONG_BYTES);
    }

    /// Fills memory with a byte.
    ///
    /// @return number of the last submission, 0 if there is nothing to fill
    static long fill(CommandQueue queue, long target, long bytes, byte value) {
        long number = 0;
        long done = 0;
        while (done < bytes) {
            PushBuffer push =
                    queue.begin(InlineFill.SEED_WORDS + FILL_STEPS * InlineFill.EXTEND_WORDS);
            if (done == 0) {
                done = InlineFill.seed(push, target, bytes, value);
            }
            for (int i = 0; i < FILL_STEPS && done < bytes; i++) {
                done = InlineFill.extend(push, target, bytes, done);
            }
            number = queue.submit();
        }
        return number;
    }
}
