package io.gpuvm.gf100.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.unit.PraminUnit;
import io.gpuvm.gf100.unit.RegisterBench;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedMemoryTest {
    private static final int VRAM_BYTES = 0x2_0000;

    private final MemorySegment vram = MemorySegment.ofArray(new long[VRAM_BYTES / Long.BYTES]);
    private final MemorySegment host = MemorySegment.ofArray(new long[512]);
    private final List<String> told = new ArrayList<>();
    private final PhysicalMemory memory =
            new PhysicalMemory(
                    vram,
                    (address, span) -> {
                        span.found(host, address, host.byteSize() - address, true, false);
                        return true;
                    });
    private final WatchedMemory watched =
            new WatchedMemory(
                    memory,
                    (offset, width) ->
                            told.add(
                                    "%x %d %x"
                                            .formatted(
                                                    offset,
                                                    width,
                                                    memory.read(
                                                            MemoryTarget.VRAM, offset, width))));

    @Test
    void givenVramAddress_whenWritten_thenWatcherIsCalledAfterWrite() {
        watched.write(MemoryTarget.VRAM, 0x1234, 2, 0x55);
        watched.write(MemoryTarget.VRAM, VRAM_BYTES - 8, 8, 0x66);

        assertEquals(List.of("1234 2 55", "1fff8 8 66"), told);
        assertEquals(0x55, watched.read(MemoryTarget.VRAM, 0x1234, 2));
    }

    @Test
    void givenAddressOutsideVram_whenWritten_thenWatcherIsNotCalled() {
        watched.write(MemoryTarget.SYSTEM_COHERENT, 8, 8, 0x55);
        watched.write(MemoryTarget.VRAM, VRAM_BYTES, 4, 1);
        watched.write(MemoryTarget.VRAM, VRAM_BYTES - 4, 8, 1);
        watched.write(MemoryTarget.VRAM, -4, 4, 1);
        watched.write(MemoryTarget.PEER, 0, 4, 1);
        watched.write(null, 0, 4, 1);

        assertEquals(List.of(), told);
        assertEquals(0x55, watched.read(MemoryTarget.SYSTEM_COHERENT, 8, 8));
    }

    @Test
    void givenPramin_whenDriverWritesThroughWindow_thenWatcherReceivesVramOffset() {
        RegisterBench bench = new RegisterBench(new PraminUnit(watched, _ -> {}));
        bench.write(Pbus.PMEM, 1);
        bench.write(Pramin.WINDOW.first() + 0x40, 7);
        bench.writeByte(Pramin.WINDOW.first() + 0x41, 8);
        bench.write(Pramin.WINDOW.first() + 0x1_0000, 9);

        assertEquals(List.of("10040 4 7", "10041 1 8"), told);
    }
}
