package io.gpuvm.softgpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.Seal;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class VramTest {
    private static final long BYTES = 6L << 30;

    @Test
    void givenSixGibibytes_whenTouchedAtBothEndsAndCleared_thenMemoryIsZero() {
        try (Vram vram = new Vram(BYTES)) {
            vram.memory().set(ValueLayout.JAVA_LONG, 0, 1);
            vram.memory().set(ValueLayout.JAVA_LONG, BYTES - 8, 2);
            vram.clear();
            assertEquals(0, vram.memory().get(ValueLayout.JAVA_LONG, 0));
            assertEquals(0, vram.memory().get(ValueLayout.JAVA_LONG, BYTES - 8));
            assertEquals(BYTES, FileStatus.of(vram.descriptor()).bytes());
        }
    }

    @Test
    void givenDescriptor_whenMappedTwice_thenMappingsShareMemory() {
        try (Vram vram = new Vram(1 << 20)) {
            MappedMemory elsewhere =
                    MappedMemory.map(vram.descriptor(), 4096, 4096, MappedMemory.Access.READ_WRITE);
            elsewhere.segment().set(ValueLayout.JAVA_INT, 0, 42);
            assertEquals(42, vram.memory().get(ValueLayout.JAVA_INT, 4096));
            elsewhere.close();
        }
    }

    @Test
    void givenEndOfVram_whenAccessedBeyond_thenNoMemoryIsFound() {
        try (Vram vram = new Vram(1 << 20);
                SystemMemory host = new SystemMemory()) {
            PhysicalMemory memory = new PhysicalMemory(vram.memory(), host);
            long end = vram.bytes();
            memory.write(MemoryTarget.VRAM, end - 4, 4, 7);
            memory.write(MemoryTarget.VRAM, end - 4, 8, -1);
            memory.write(MemoryTarget.VRAM, end, 4, -1);
            memory.write(MemoryTarget.VRAM, -4, 8, -1);
            assertEquals(7, memory.read(MemoryTarget.VRAM, end - 4, 4));
            assertEquals(-1, memory.read(MemoryTarget.VRAM, end - 4, 8));
            assertEquals(0xff, memory.read(MemoryTarget.VRAM, end, 1));
            assertEquals(0xffff, memory.read(MemoryTarget.VRAM, -1, 2));
            assertEquals(0xffff_ffffL, memory.read(MemoryTarget.PEER, 0, 4));
            assertEquals(0xffff_ffffL, memory.read((MemoryTarget) null, 0, 4));
        }
    }

    @Test
    void givenDescriptor_whenSealsAreRead_thenTruncationIsSealed() {
        try (Vram vram = new Vram(1 << 20)) {
            assertTrue(Seal.of(vram.descriptor()).contains(Seal.SHRINK));
        }
    }
}
