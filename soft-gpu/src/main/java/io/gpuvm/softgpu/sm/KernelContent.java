package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.Arrays;

/// What decides how a kernel executes: where it starts, how many registers its threads have, and
/// all words that threads can come to, with their places in the code segment. Two kernels with the
/// same content are the same, whosever they are and wherever their segments lie.
///
/// It has an order because guests choose contents: those that hash alike are found by it.
/// Immutable.
final class KernelContent implements Comparable<KernelContent> {
    private final int entry;
    private final int registers;
    private final int[] places;
    private final long[] words;
    private final int hash;

    private KernelContent(int entry, int registers, int[] places, long[] words) {
        this.entry = entry;
        this.registers = registers;
        this.places = places;
        this.words = words;
        int code = 31 * Arrays.hashCode(places) + Arrays.hashCode(words);
        hash = 31 * (31 * code + entry) + registers;
    }

    /// The content of code.
    ///
    /// @param registers how many a thread has
    static KernelContent of(KernelCode code, int registers) {
        int[] places = new int[code.size()];
        long[] words = new long[places.length];
        int n = 0;
        for (BasicBlock block : code.blocks()) {
            for (Instruction i : block.instructions()) {
                places[n] = i.pc;
                words[n++] = i.word;
            }
        }
        return new KernelContent(code.entry(), registers, places, words);
    }

    /// How many instructions it has.
    int instructions() {
        return words.length;
    }

    /// Whether memory holds it, at the same places. Makes no objects.
    boolean isIn(CodeCache code) {
        for (int n = 0; n < words.length; n++) {
            if (!code.holds(places[n], words[n])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(KernelContent other) {
        int order = Integer.compare(entry, other.entry);
        order = order != 0 ? order : Integer.compare(registers, other.registers);
        order = order != 0 ? order : Arrays.compare(places, other.places);
        return order != 0 ? order : Arrays.compare(words, other.words);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KernelContent content
                && hash == content.hash
                && compareTo(content) == 0;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
