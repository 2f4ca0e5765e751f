package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.FilledLines;
import io.gpuvm.gf100.push.InlineFill;
import io.gpuvm.gf100.push.PushBuffer;

/// Fill of lines with a repeated value.
public final class Fill extends GpuWork {
    /// Maximum number of words of a submission.
    private static final int WORDS = 256 * InlineFill.EXTEND_WORDS;

    private final Pitched target;
    private final long lineBytes;
    private final long lines;
    private final FillPattern pattern;

    /// Address of the first line, set by the check.
    private long first;

    /// Number of lines that are submitted.
    private long done;

    /// Number of bytes of the next line that are submitted.
    private long filled;

    /// Describes the fill of lines.
    ///
    /// @param width number of elements of a line
    /// @param height number of lines
    /// @throws GpuException [GpuError#INVALID_VALUE] if the number of bytes of a line exceeds 63
    ///   bits
    public Fill(Pitched target, long width, long height, FillPattern pattern) {
        long bytes = bytes(width, pattern);
        // Lines without gaps are one line.
        boolean adjacent = target.pitch() == bytes && height > 1;
        long all = adjacent ? bytes(bytes, height) : bytes;
        this.target = adjacent ? new Pitched(target.buffer(), target.offset(), all) : target;
        this.lineBytes = all;
        this.lines = adjacent ? 1 : height;
        this.pattern = pattern;
    }

    /// Returns the fill of a contiguous range.
    ///
    /// @param count number of elements
    public static Fill line(GpuBuffer target, long offset, long count, FillPattern pattern) {
        return new Fill(new Pitched(target, offset, bytes(count, pattern)), count, 1, pattern);
    }

    private static long bytes(long count, FillPattern pattern) {
        return bytes(count, pattern.elementBytes());
    }

    private static long bytes(long count, long factor) {
        try {
            return Math.multiplyExact(count, factor);
        } catch (ArithmeticException e) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "fill count=%d, limit=%d".formatted(count, Long.MAX_VALUE / factor),
                    e);
        }
    }

    @Override
    void check(GpuContext context) {
        first = Allocation.of(target.buffer()).lines(context, "target", target, lineBytes, lines);
    }

    @Override
    boolean isComplete() {
        return done == lines || lineBytes == 0;
    }

    @Override
    long submitNext(CommandQueue queue) {
        PushBuffer push = queue.begin(WORDS);
        for (int left = WORDS; left >= InlineFill.SEED_WORDS && !isComplete(); ) {
            left -= filled == 0 && !copiesLines() ? InlineFill.SEED_WORDS : InlineFill.EXTEND_WORDS;
            step(push);
        }
        return queue.submit();
    }

    private void step(PushBuffer push) {
        if (filled == 0 && copiesLines()) {
            FilledLines all = new FilledLines(first, target.pitch(), lineBytes, lines);
            done = InlineFill.extendLines(push, all, done);
            return;
        }
        long line = first + done * target.pitch();
        filled =
                filled == 0
                        ? InlineFill.seed(push, line, lineBytes, pattern.word())
                        : InlineFill.extend(push, line, lineBytes, filled);
        if (filled == lineBytes) {
            filled = 0;
            done++;
        }
    }

    /// Returns whether the next lines are copies of filled lines.
    private boolean copiesLines() {
        return done > 0
                && lineBytes <= InlineFill.MAX_LINE_BYTES
                && target.pitch() <= Integer.MAX_VALUE;
    }
}
