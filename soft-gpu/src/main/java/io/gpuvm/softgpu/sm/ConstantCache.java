package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.softgpu.mmu.GpuMemory;
import java.util.Arrays;

/// The constant banks of a launch, as far as they have been read: kept for as long as nobody says
/// that they have changed. Confined to the thread that runs the block.
final class ConstantCache {
    private static final int LINE_BYTES = 256;
    private static final int BANK_BYTES = 1 << 16;
    private static final int LINES = BANK_BYTES / LINE_BYTES;

    private final GpuMemory memory;
    private final WarpTrap trap;
    private final int[][] words = new int[ConstantBank.COUNT][];
    private final boolean[][] known = new boolean[ConstantBank.COUNT][LINES];
    private Launch launch;

    ConstantCache(GpuMemory memory, WarpTrap trap) {
        this.memory = memory;
        this.trap = trap;
    }

    void load(Launch launch) {
        this.launch = launch;
        invalidate();
    }

    /// Forgets what was read.
    void invalidate() {
        for (boolean[] lines : known) {
            Arrays.fill(lines, false);
        }
    }

    /// Forgets it, and gives the memory up that it was in.
    void drop() {
        invalidate();
        Arrays.fill(words, null);
    }

    /// Reads a word.
    ///
    /// @param offset a multiple of 4
    /// @param outside what is reported if the bank does not have it
    /// @throws io.gpuvm.softgpu.mmu.MmuFault if the page tables refuse the bank's memory
    int word(int bank, int offset, WarpError outside) {
        if (bank >= ConstantBank.COUNT || offset < 0) {
            throw trap.of(outside);
        }
        int line = offset / LINE_BYTES;
        if (line >= LINES || !known[bank][line]) {
            fill(bank, offset, outside);
        }
        return words[bank][offset / Integer.BYTES];
    }

    private void fill(int bank, int offset, WarpError outside) {
        ConstantBank source = launch.constants().get(bank);
        int bytes = Math.min(source.bytes(), BANK_BYTES);
        if (!source.isBound() || offset > bytes - Integer.BYTES) {
            throw trap.of(outside);
        }
        if (words[bank] == null) {
            words[bank] = new int[BANK_BYTES / Integer.BYTES];
        }
        int start = offset / LINE_BYTES * LINE_BYTES;
        int end = start + LINE_BYTES;
        for (int at = start; at < Math.min(end, bytes); at += Integer.BYTES) {
            words[bank][at / Integer.BYTES] = memory.read32((source.gpuVa() & -Integer.BYTES) + at);
        }
        // A line that the bank does not fill stays unknown, so that what is behind its end is
        // looked at each time.
        known[bank][start / LINE_BYTES] = end <= bytes;
    }
}
