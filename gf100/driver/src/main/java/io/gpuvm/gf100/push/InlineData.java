package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.M2mfClass;

/// Copy of words from the push buffer to memory, by M2MF.
final class InlineData {
    /// Number of words before the data.
    static final int WORDS = 3 + 3 + 1 + 1;

    private InlineData() {}

    /// Announces data; the words that hold the bytes must follow.
    static void announce(PushBuffer push, long target, int bytes) {
        push.address(Subchannel.M2MF, M2mfClass.OFFSET_OUT_HIGH, target)
                .methods(Subchannel.M2MF, M2mfClass.LINE_LENGTH, bytes, 1)
                .immediate(
                        Subchannel.M2MF,
                        M2mfClass.EXEC,
                        M2mfClass.EXEC_PUSH.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1))
                .nonIncreasing(
                        Subchannel.M2MF,
                        M2mfClass.DATA,
                        (bytes + Integer.BYTES - 1) / Integer.BYTES);
    }
}
