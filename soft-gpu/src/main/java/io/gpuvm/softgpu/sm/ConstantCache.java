package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.softgpu.mmu.MmuFault;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.Arrays;

/// Cached contents of a launch's constant banks, valid until invalidated. Confined to the thread
/// that runs the block.
final class ConstantCache {
    private static final int LINE_SHIFT = 8;
    private static final int LINE_BYTES = 1 << LINE_SHIFT;
    private static final int LINE_WORDS = LINE_BYTES / Integer.BYTES;
    private static final int BANK_SHIFT = 16;
    private static final int BANK_BYTES = 1 << BANK_SHIFT;
    private static final int LINES = BANK_BYTES / LINE_BYTES;

    private final VirtualMemory memory;
    private final WarpTrap trap;
    private final int[][] words = new int[ConstantBank.COUNT][];

    /// Number of cached words from the start of a line, by bank and line: all words that the bank
    /// has in the line, or 0.
    private final byte[] known = new byte[ConstantBank.COUNT * LINES];

    private Launch launch;

    ConstantCache(VirtualMemory memory, WarpTrap trap) {
        this.memory = memory;
        this.trap = trap;
    }

    void load(Launch launch) {
        this.launch = launch;
        invalidate();
    }

    /// Discards all cached words.
    void invalidate() {
        Arrays.fill(known, (byte) 0);
    }

    /// Discards all cached words, and releases their memory.
    void drop() {
        invalidate();
        Arrays.fill(words, null);
    }

    /// Returns whether [#at(int, int)] has a word, which remains cached until the cache is
    /// invalidated.
    ///
    /// @param bank any non-negative number
    /// @param offset a multiple of 4
    boolean holds(int bank, int offset) {
        return bank < ConstantBank.COUNT
                && offset >>> BANK_SHIFT == 0
                && known[bank * LINES + (offset >>> LINE_SHIFT)]
                        > (offset / Integer.BYTES & LINE_WORDS - 1);
    }

    /// Reads a word into the cache if necessary, and returns whether [#at(int, int)] has it. Used
    /// by generated code, which may request words that no lane needs.
    boolean obtains(int bank, int offset) {
        if (holds(bank, offset)) {
            return true;
        }
        try {
            fill(bank, offset, WarpError.INVALID_CONST_ADDR);
            return true;
        } catch (WarpTrap | MmuFault _) {
            return false;
        }
    }

    /// Returns a cached word.
    int at(int bank, int offset) {
        return words[bank][offset / Integer.BYTES];
    }

    /// Reads a word.
    ///
    /// @param bank any non-negative number
    /// @param offset a multiple of 4
    /// @param outside error if the word is outside the bank
    /// @throws MmuFault if the page tables refuse the bank's memory
    int word(int bank, int offset, WarpError outside) {
        if (!holds(bank, offset)) {
            fill(bank, offset, outside);
        }
        return at(bank, offset);
    }

    private void fill(int bank, int offset, WarpError outside) {
        if (bank >= ConstantBank.COUNT || offset < 0) {
            throw trap.of(outside);
        }
        ConstantBank source = launch.constants().get(bank);
        int bytes = Math.min(source.bytes(), BANK_BYTES);
        if (!source.isBound() || offset > bytes - Integer.BYTES) {
            throw trap.of(outside);
        }
        if (words[bank] == null) {
            words[bank] = new int[BANK_BYTES / Integer.BYTES];
        }
        int start = offset & -LINE_BYTES;
        int count = Math.min(LINE_BYTES, bytes - start) / Integer.BYTES;
        long gpuVa = (source.gpuVa() & -Integer.BYTES) + start;
        for (int i = 0; i < count; i++) {
            words[bank][start / Integer.BYTES + i] =
                    memory.read32(gpuVa + (long) i * Integer.BYTES);
        }
        known[bank * LINES + (start >>> LINE_SHIFT)] = (byte) count;
    }
}
