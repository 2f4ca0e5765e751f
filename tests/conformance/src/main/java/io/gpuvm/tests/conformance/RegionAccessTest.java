package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.gf100.reg.Register;
import org.junit.jupiter.api.Test;

/// Tests of accesses of every width to every region.
@GpuTest
final class RegionAccessTest {
    private static final int[] WIDTHS = {1, 2, 4, 8};
    private static final int WORD = Integer.BYTES;
    private static final long SCRATCH = Pramin.WINDOW.first();
    private static final long PATTERN = 0x8899_aabb_ccdd_eeffL;

    /// Signature of an expansion ROM (PCI firmware specification).
    private static final int ROM_SIGNATURE = 0xaa55;

    private static final int ROM_LENGTH = 2;
    private static final int ROM_LENGTH_UNIT = 512;

    /// Offset in PMC without a register.
    private static final long NO_REGISTER = 0x000ff8;

    private final GpuDevice gpu;

    RegionAccessTest(Bench bench) {
        gpu = bench.gpu;
        bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(Bench.VRAM_DATA));
    }

    @Test
    void givenEachRegion_whenAccessedAtBothEnds_thenEveryWidthIsAnswered() {
        for (Bar bar : Bar.values()) {
            long bytes = gpu.identity().bytesOf(bar);
            for (int width : WIDTHS) {
                if (bytes >= width) {
                    gpu.read(bar, 0, width);
                    gpu.read(bar, bytes - width, width);
                    gpu.write(bar, bytes - width, width, -1);
                }
            }
        }
    }

    @Test
    void givenEachRegion_whenAccessedOutside_thenAccessIsRefused() {
        for (Bar bar : Bar.values()) {
            long bytes = gpu.identity().bytesOf(bar);
            for (int width : WIDTHS) {
                assertRefused(bar, bytes, width);
                assertRefused(bar, -width, width);
                assertRefused(bar, Long.MAX_VALUE - 7, width);
            }
            assertRefused(bar, bytes - 4, 8);
        }
    }

    private void assertRefused(Bar bar, long offset, int width) {
        assertThrows(IndexOutOfBoundsException.class, () -> gpu.read(bar, offset, width));
        assertThrows(IndexOutOfBoundsException.class, () -> gpu.write(bar, offset, width, 0));
    }

    @Test
    void givenWord_whenReadInParts_thenPartsAgree() {
        for (long offset = SCRATCH; offset < SCRATCH + 64; offset += Long.BYTES) {
            gpu.write(Bar.BAR0, offset, WORD, PATTERN);
            gpu.write(Bar.BAR0, offset + WORD, WORD, PATTERN >>> 32);
        }
        assertPiecesAgree(Bar.BAR0, SCRATCH);
        assertPiecesAgree(Bar.BAR0, Pmc.BOOT_0.offset());
        assertPiecesAgree(Bar.ROM, 0);
        assertEquals(PATTERN, gpu.read(Bar.BAR0, SCRATCH, 8));
        assertEquals(PATTERN & 0xffff_ffffL, gpu.read(Bar.BAR0, SCRATCH, WORD));
    }

    private void assertPiecesAgree(Bar bar, long offset) {
        for (int width : WIDTHS) {
            long whole = 0;
            for (int at = 0; at < Long.BYTES; at += width) {
                whole |= gpu.read(bar, offset + at, width) << at * Byte.SIZE;
            }
            assertEquals(gpu.read(bar, offset, Long.BYTES), whole, bar + " width=" + width);
        }
    }

    @Test
    void givenMemory_whenWrittenInEveryWidth_thenOnlyWrittenBytesChange() {
        for (int width : WIDTHS) {
            for (int at = 0; at < Long.BYTES; at += width) {
                gpu.write(Bar.BAR0, SCRATCH, 8, PATTERN);
                long mask = -1L >>> Long.SIZE - width * Byte.SIZE << at * Byte.SIZE;
                // Bits beyond the width must be ignored.
                gpu.write(Bar.BAR0, SCRATCH + at, width, 0x5a5a_5a5a_5a5a_5a5aL);
                assertEquals(
                        PATTERN & ~mask | 0x5a5a_5a5a_5a5a_5a5aL & mask,
                        gpu.read(Bar.BAR0, SCRATCH, 8),
                        "width=%d at=%d".formatted(width, at));
            }
        }
    }

    @Test
    void givenRom_whenReadThroughBothViews_thenImagesAreEqual() {
        assertEquals(ROM_SIGNATURE, gpu.read(Bar.ROM, 0, 2));
        long bytes = gpu.read(Bar.ROM, ROM_LENGTH, 1) * ROM_LENGTH_UNIT;
        long step = Math.max(bytes / 256, WORD) & -WORD;
        for (long offset = 0; offset < bytes; offset += step) {
            assertEquals(
                    gpu.read(Bar.ROM, offset, WORD),
                    gpu.read(Bar.BAR0, Prom.WINDOW.first() + offset, WORD),
                    "offset=" + offset);
        }
    }

    @Test
    void givenRom_whenWritten_thenRomIsUnchanged() {
        long before = gpu.read(Bar.ROM, 0, WORD);

        gpu.write(Bar.ROM, 0, WORD, ~before);

        assertEquals(before, gpu.read(Bar.ROM, 0, WORD));
    }

    @Test
    void givenNoRegister_whenAccessed_thenReadReturnsZero() {
        gpu.write(Bar.BAR0, NO_REGISTER, Register.BYTES, -1);

        assertEquals(0, gpu.read(Bar.BAR0, NO_REGISTER, Register.BYTES));
    }
}
