package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;

/// Path to [Bench#VRAM_DATA], by offset from its start.
interface MemoryWay {
    /// Reads 1, 2, 4 or 8 bytes at a multiple of the width, zero-extended.
    long read(long offset, int width);

    /// Writes 1, 2, 4 or 8 bytes at a multiple of the width; excess bits are ignored.
    void write(long offset, int width, long value);

    /// Returns the low bytes of `value` that fit into an access of the given width.
    static long truncate(long value, int width) {
        return value & -1L >>> Long.SIZE - width * Byte.SIZE;
    }

    /// Returns the path through the window in BAR0, which is moved for each access.
    static MemoryWay pramin(Bench bench) {
        return new MemoryWay() {
            private long at(long offset) {
                long vramOffset = Bench.VRAM_DATA + offset;
                bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(vramOffset));
                return Pramin.WINDOW.first() + (vramOffset & (1L << Pbus.PMEM_VRAM.scale()) - 1);
            }

            @Override
            public long read(long offset, int width) {
                return bench.gpu.read(Bar.BAR0, at(offset), width);
            }

            @Override
            public void write(long offset, int width, long value) {
                bench.gpu.write(Bar.BAR0, at(offset), width, value);
            }

            @Override
            public String toString() {
                return "PRAMIN";
            }
        };
    }

    /// Returns the path through a slice of a BAR.
    ///
    /// @param bytes length of the memory that the slice shows
    static MemoryWay bar(Bench bench, Bar bar, long bytes) {
        BarSlice slice = bench.keep(bench.gpu.openSlice(bar, bytes));
        for (int page = 0; page < bytes / Bench.PAGE_BYTES; page++) {
            long shown = Bench.VRAM_DATA + page * Bench.PAGE_BYTES;
            slice.set(page, PageTableEntry.of(MemoryTarget.VRAM, shown));
        }
        slice.flush();
        return new MemoryWay() {
            @Override
            public long read(long offset, int width) {
                return bench.gpu.read(bar, slice.offset() + offset, width);
            }

            @Override
            public void write(long offset, int width, long value) {
                bench.gpu.write(bar, slice.offset() + offset, width, value);
            }

            @Override
            public String toString() {
                return bar.name();
            }
        };
    }

    /// Returns the path through copies by an engine from and to host memory.
    static MemoryWay engine(Bench bench, TestChannel channel, ClassId engine) {
        long host = bench.allocate(Bench.PAGE_BYTES);
        return new MemoryWay() {
            @Override
            public long read(long offset, int width) {
                bench.host().quad(host, 0);
                channel.run(
                        new Program()
                                .copy(engine, Bench.VRAM_VA + offset, Bench.HOST_VA + host, width));
                return bench.host().quad(host);
            }

            @Override
            public void write(long offset, int width, long value) {
                bench.host().quad(host, value);
                channel.run(
                        new Program()
                                .copy(engine, Bench.HOST_VA + host, Bench.VRAM_VA + offset, width));
            }

            @Override
            public String toString() {
                return engine.name();
            }
        };
    }
}
