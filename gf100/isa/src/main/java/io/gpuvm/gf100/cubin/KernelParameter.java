package io.gpuvm.gf100.cubin;

/// Parameter of a kernel.
///
/// @param ordinal index among the kernel's parameters, from 0
/// @param offset bytes from the first parameter
/// @param sizeBytes size in bytes
public record KernelParameter(int ordinal, int offset, int sizeBytes) {
    /// Number of words in [InfoAttribute#KPARAM_INFO]: a word without a meaning, a word with
    /// ordinal and offset in 16 bits each, and a word with the size in the bits from [#SIZE_SHIFT]
    /// upwards.
    static final int WORDS = 3;

    static final int SIZE_SHIFT = 18;

    /// Remaining bits of the last word, for a parameter in the usual constant bank.
    static final int USUAL_BANK = 0x1f << 12;

    static KernelParameter of(int[] words) {
        return new KernelParameter(
                words[1] & 0xffff, words[1] >>> Short.SIZE, words[2] >>> SIZE_SHIFT);
    }

    int[] toWords() {
        return new int[] {0, ordinal | offset << Short.SIZE, sizeBytes << SIZE_SHIFT | USUAL_BANK};
    }
}
