package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.Arrays;

/// Inputs that determine a kernel's execution: its entry, the number of registers of its threads,
/// and all words that threads can reach, with their offsets in the code segment. Two kernels with
/// the same content are the same kernel, regardless of their guests and the addresses of their
/// segments.
///
/// Contents are ordered because guests choose them: the order keeps lookups fast even if all hashes
/// are equal. Immutable.
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

    /// Returns the content of a kernel's code.
    ///
    /// @param registers number of registers of a thread
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

    /// Returns the number of instructions.
    int instructions() {
        return words.length;
    }

    /// Returns whether memory contains this content at the same offsets. Creates no objects.
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
