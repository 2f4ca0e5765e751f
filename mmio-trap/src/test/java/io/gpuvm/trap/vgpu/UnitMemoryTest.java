package io.gpuvm.trap.vgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.shadow.ShadowChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the observer that [UnitMemory] informs of reads of guest memory.
class UnitMemoryTest {
    private final List<Long> heard = new ArrayList<>();
    private final UnitMemory memory =
            new UnitMemory(
                    new MemoryPort() {
                        @Override
                        public long read(MemoryTarget target, long physicalAddress, int width) {
                            return -1;
                        }

                        @Override
                        public void write(
                                MemoryTarget target, long physicalAddress, int width, long value) {}
                    });

    UnitMemoryTest() {
        memory.onRead(
                new GuestMemoryTap() {
                    @Override
                    public void onRing(ShadowChannel channel, int from, int put) {}

                    @Override
                    public void onRead(long guestPhys, int width, long value) {
                        heard.add(guestPhys);
                    }
                });
    }

    @Test
    void givenGuestMemory_whenRead_thenAddressIsReported() {
        memory.read(MemoryTarget.SYSTEM_COHERENT, 0x1000, 8);
        memory.read(MemoryTarget.VRAM, 0x2000, 8);

        assertEquals(List.of(0x1000L), heard);
    }

    /// Tests an undefined target code of a runlist, which decodes to null.
    @Test
    void givenUndefinedTarget_whenRead_thenNoAddressIsReported() {
        assertEquals(-1, memory.read(null, 0x1000, 8));
        assertEquals(List.of(), heard);
    }
}
