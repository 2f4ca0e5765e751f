package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.Arrays;

/// Channels of a runlist that was read from memory. Confined to the register thread.
final class Runlist {
    private final MemoryPort memory;
    private final int[] channels = new int[Pfifo.CHANNELS];
    private final boolean[] listed = new boolean[Pfifo.CHANNELS];
    private int count;

    Runlist(MemoryPort memory) {
        this.memory = memory;
    }

    /// Reads a list; a repeated channel is listed only at its first position.
    void read(MemoryTarget target, long address, int entries) {
        Arrays.fill(listed, false);
        count = 0;
        for (int i = 0; i < entries; i++) {
            long slot = address + (long) i * RunlistEntry.BYTES;
            int channel = RunlistEntry.channel(memory.read(target, slot, RunlistEntry.BYTES));
            if (!listed[channel]) {
                listed[channel] = true;
                channels[count++] = channel;
            }
        }
    }

    /// Returns the channels; the first [#count()] elements are valid.
    int[] channels() {
        return channels;
    }

    int count() {
        return count;
    }
}
