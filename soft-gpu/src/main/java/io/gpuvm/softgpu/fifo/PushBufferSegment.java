package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Push-buffer segment that a channel is reading. Words are read when they are needed, without
/// prefetch. Confined to the engine thread.
final class PushBufferSegment {
    private long gpuVa;
    private int dwords;
    private boolean main;

    /// Begins the segment of a ring entry.
    ///
    /// @return false if the segment exceeds the address space; the state is then unchanged
    boolean open(long entry) {
        long first = GpfifoEntry.gpuVa(entry);
        int length = GpfifoEntry.dwords(entry);
        if (first + (long) length * Integer.BYTES - 1 > TableGeometry.VA_MASK) {
            return false;
        }
        gpuVa = first;
        dwords = length;
        main = GpfifoEntry.isMain(entry);
        return true;
    }

    /// Sets the position from RAMFC, as the end of an unknown segment: words of an earlier channel
    /// with the same number must not be read.
    void load(long standsAtGpuVa) {
        gpuVa = standsAtGpuVa;
        dwords = 0;
    }

    boolean hasWord() {
        return dwords > 0;
    }

    /// Returns the next word.
    int peek(VirtualMemory memory) {
        return memory.read32(gpuVa);
    }

    /// Advances to the next word.
    void advance() {
        gpuVa += Integer.BYTES;
        dwords--;
    }

    /// Skips the rest of the segment.
    void end() {
        gpuVa += (long) dwords * Integer.BYTES;
        dwords = 0;
    }

    /// Returns the address of the next word.
    long gpuVa() {
        return gpuVa;
    }

    /// Returns whether the segment belongs to the main push buffer.
    boolean isMain() {
        return main;
    }
}
