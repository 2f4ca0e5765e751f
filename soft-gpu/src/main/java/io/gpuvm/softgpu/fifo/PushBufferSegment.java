package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// The part of a push buffer that a channel is reading. Words are read when they are due, never
/// ahead. Confined to the engine thread.
final class PushBufferSegment {
    private long gpuVa;
    private int dwords;
    private boolean main;

    /// Starts on a ring entry's segment.
    ///
    /// @return false if it does not lie in the address space; then nothing has changed
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

    /// Stands where RAMFC says, at the end of whatever that was: what another channel of the same
    /// number has read is no business of this one.
    void load(long standsAtGpuVa) {
        gpuVa = standsAtGpuVa;
        dwords = 0;
    }

    boolean hasWord() {
        return dwords > 0;
    }

    /// The next word.
    int peek(VirtualMemory memory) {
        return memory.read32(gpuVa);
    }

    /// Goes on to the word after it.
    void advance() {
        gpuVa += Integer.BYTES;
        dwords--;
    }

    /// Leaves the rest out.
    void end() {
        gpuVa += (long) dwords * Integer.BYTES;
        dwords = 0;
    }

    /// Address of the next word.
    long gpuVa() {
        return gpuVa;
    }

    /// Whether it belongs to the main push buffer.
    boolean isMain() {
        return main;
    }
}
