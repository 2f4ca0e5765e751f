package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.M2mfClass;

/// Commands that fill memory with a byte, by M2MF: the push buffer contains the first bytes, and
/// each subsequent command copies a limited number of filled bytes.
///
/// The fill reads only bytes that it has written, needs no kernel, and works on GPUs without copy
/// engines.
public final class InlineFill {
    /// Maximum number of bytes from the push buffer.
    public static final int SEED_BYTES = 256;

    /// Maximum number of words of [#seed].
    public static final int SEED_WORDS = InlineData.WORDS + SEED_BYTES / Integer.BYTES;

    /// Number of words of [#extend].
    public static final int EXTEND_WORDS = CopyUnit.WORDS + 1;

    /// Maximum number of bytes that a command copies, small enough to remain in caches.
    private static final int PATTERN_BYTES = M2mfClass.USUAL_MAX_LINE_LENGTH;

    /// Factor that converts a byte to a word of four equal bytes.
    private static final int FOUR_OF_BYTE = Integer.divideUnsigned(-1, (1 << Byte.SIZE) - 1);

    private InlineFill() {}

    /// Writes the first bytes.
    ///
    /// @param bytes length of the fill, at least 1
    /// @return number of filled bytes
    public static int seed(PushBuffer push, long target, long bytes, byte value) {
        int length = (int) Math.min(bytes, SEED_BYTES);
        int words = (length + Integer.BYTES - 1) / Integer.BYTES;
        InlineData.announce(push, target, length);
        for (int i = 0; i < words; i++) {
            push.word(Byte.toUnsignedInt(value) * FOUR_OF_BYTE);
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
}
