package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.softgpu.mmu.GpuMemory;

/// The part of a push buffer that a channel is reading. Words are read when they are due, never
/// ahead. Confined to the engine thread.
final class Segment {
    private long gpuVa;
    private int dwords;
    private boolean main;

    /// Starts on a ring entry's segment.
    ///
    /// @return false if it does not lie in the address space
    boolean open(long entry) {
        gpuVa = GpfifoEntry.gpuVa(entry);
        dwords = GpfifoEntry.dwords(entry);
        main = GpfifoEntry.isMain(entry);
        boolean fits = gpuVa + (long) dwords * Integer.BYTES - 1 <= TableGeometry.VA_MASK;
        if (!fits) {
            dwords = 0;
        }
        return fits;
    }

    boolean hasWord() {
        return dwords > 0;
    }

    /// The next word.
    int peek(GpuMemory memory) {
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
