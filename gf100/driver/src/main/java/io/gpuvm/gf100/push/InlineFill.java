package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.M2mfClass;

/// Commands that fill memory with a repeated word, by M2MF: the push buffer contains the first
/// bytes, and each subsequent command copies a limited number of filled bytes, or of filled lines.
///
/// The fill reads only bytes that it has written, needs no kernel, and works on GPUs without copy
/// engines.
public final class InlineFill {
    /// Maximum number of bytes from the push buffer.
    public static final int SEED_BYTES = 256;

    /// Maximum number of words of [#seed].
    public static final int SEED_WORDS = InlineData.WORDS + SEED_BYTES / Integer.BYTES;

    /// Number of words of [#extend] and of [#extendLines].
    public static final int EXTEND_WORDS = CopyUnit.WORDS + 1;

    /// Maximum length of the lines of [#extendLines], in bytes.
    public static final int MAX_LINE_BYTES = M2mfClass.USUAL_MAX_LINE_LENGTH;

    /// Maximum number of bytes that a command copies, small enough to remain in caches; a multiple
    /// of a word.
    private static final int PATTERN_BYTES = M2mfClass.USUAL_MAX_LINE_LENGTH;

    private InlineFill() {}

    /// Writes the first bytes.
    ///
    /// @param bytes length of the fill, at least 1
    /// @param word the first four bytes, which the fill repeats
    /// @return number of filled bytes
    public static int seed(PushBuffer push, long target, long bytes, int word) {
        int length = (int) Math.min(bytes, SEED_BYTES);
        int words = (length + Integer.BYTES - 1) / Integer.BYTES;
        InlineData.announce(push, target, length);
        for (int i = 0; i < words; i++) {
            push.word(word);
        }
        return length;
    }

    /// Extends the fill by a copy of filled bytes.
    ///
    /// @param bytes length of the fill
    /// @param done number of bytes that earlier commands fill, less than `bytes`
    /// @return total number of filled bytes
    public static long extend(PushBuffer push, long target, long bytes, long done) {
        long more = Math.min(Math.min(done, PATTERN_BYTES), bytes - done);
        push.immediate(Subchannel.M2MF, M2mfClass.SERIALIZE, 0);
        CopyUnit.M2MF.copy(push, Rectangle.line(target + done, target, more));
        return done + more;
    }

    /// Extends a fill of lines by a copy of filled lines.
    ///
    /// @param lines address of the first line, pitch and width, at most [#MAX_LINE_BYTES], and
    ///   number of lines
    /// @param done number of lines that earlier commands fill, at least 1
    /// @return total number of filled lines
    public static long extendLines(PushBuffer push, FilledLines lines, long done) {
        long more = Math.min(Math.min(done, M2mfClass.USUAL_MAX_LINE_COUNT), lines.lines() - done);
        push.immediate(Subchannel.M2MF, M2mfClass.SERIALIZE, 0);
        CopyUnit.M2MF.copy(
                push,
                new Rectangle(
                        lines.target() + done * lines.pitch(),
                        lines.pitch(),
                        lines.target(),
                        lines.pitch(),
                        lines.lineBytes(),
                        more));
        return done + more;
    }
}
