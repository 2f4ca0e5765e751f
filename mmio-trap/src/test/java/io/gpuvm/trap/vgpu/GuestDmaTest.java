package io.gpuvm.trap.vgpu;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaPort;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuestDmaTest {
    private static final long PAGE = 4096;

    private final Arena arena = Arena.ofConfined();
    private final GuestRam ram = new GuestRam();
    private final GuestDma dma =
            new GuestDma(
                    ram,
                    new RefusingPort(),
                    new Mmu(new PhysicalMemory(arena.allocate(PAGE), ram)));

    /// GPU that refuses to unmap memory.
    private static final class RefusingPort implements DmaPort {
        @Override
        public void mapDma(DmaMapping mapping) {}

        @Override
        public void unmapDma(long iova, long bytes) {
            throw new GpuDeviceException("the remainder cannot be mapped");
        }
    }

    @BeforeEach
    void map() {
        try (MemFd file = MemFd.create("guest-dma", PAGE)) {
            dma.mapDma(new DmaMapping(file.descriptor(), 0, PAGE, 0, true));
        }
        assertTrue(isMapped());
    }

    @AfterEach
    void close() {
        ram.close();
        arena.close();
    }

    @Test
    void givenGpuThatRefusesUnmapping_whenRangeIsUnmapped_thenGuestMemoryIsUnmapped() {
        assertThrows(GpuDeviceException.class, () -> dma.unmapDma(0, PAGE));

        assertFalse(isMapped());
    }

    @Test
    void givenGpuThatRefusesUnmapping_whenListIsUnmapped_thenGuestMemoryIsUnmapped() {
        List<DmaRange> ranges = List.of(new DmaRange(0, PAGE));

        assertThrows(GpuDeviceException.class, () -> dma.unmapDma(ranges));

        assertFalse(isMapped());
    }

    private boolean isMapped() {
        return ram.locate(0, new HostSpan());
    }
}
