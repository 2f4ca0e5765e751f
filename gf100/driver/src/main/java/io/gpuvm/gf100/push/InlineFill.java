package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.M2mfClass;

/// Fills memory with a byte, by M2MF: the first bytes come from the push buffer, and the others are
/// copied from those that are there already, twice as many each time.
///
/// So nothing is read but what was just written, there is no kernel to load, and it works where
/// there are no copy engines.
public final class InlineFill {
    /// Bytes that come from the push buffer, at the most.
    public static final int SEED_BYTES = 256;

    /// Words of [#seed] at the most.
    public static final int SEED_WORDS = InlineData.WORDS + SEED_BYTES / Integer.BYTES;

    /// Words of [#extend].
    public static final int EXTEND_WORDS = CopyUnit.WORDS + 1;

    /// Bytes that are copied over and over once there are as many: they stay in caches.
    private static final int PATTERN_BYTES = M2mfClass.USUAL_MAX_LINE_LENGTH;

    /// A byte times this is a word of four of them.
    private static final int FOUR_OF_BYTE = Integer.divideUnsigned(-1, (1 << Byte.SIZE) - 1);

    private InlineFill() {}

    /// Writes the first bytes.
    ///
    /// @param bytes how many are wanted, at least 1
    /// @return how many there are then
    public static int seed(PushBuffer push, long target, long bytes, byte value) {
        int length = (int) Math.min(bytes, SEED_BYTES);
        int words = (length + Integer.BYTES - 1) / Integer.BYTES;
        InlineData.announce(push, target, length);
        for (int i = 0; i < words; i++) {
            push.word(Byte.toUnsignedInt(value) * FOUR_OF_BYTE);
        }
        return length;
    }

    /// Makes more of what is there.
    ///
    /// @param bytes how many are wanted
    /// @param done how many there are, fewer than that
    /// @return how many there are then
    public static long extend(PushBuffer push, long target, long bytes, long done) {
        long more = Math.min(Math.min(done, PATTERN_BYTES), bytes - done);
        push.immediate(Subchannel.M2MF, M2mfClass.SERIALIZE, 0);
        CopyUnit.M2MF.copy(push, Rectangle.line(target + done, target, more));
        return done + more;
    }
}
