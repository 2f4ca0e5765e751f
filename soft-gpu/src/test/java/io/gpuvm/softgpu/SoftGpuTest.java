package io.gpuvm.softgpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ppci;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.gf100.reg.Ptimer;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterMap;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.softgpu.engine.WorkCounter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Software GPU from the perspective of the GPU's owner.
class SoftGpuTest {
    private static final int WORD = Integer.BYTES;

    private long hostNs = 1_000_000;
    private final SoftGpu soft = new SoftGpu(SoftGpuConfig.defaults(), () -> hostNs);
    private final PhysicalGpu gpu = soft;

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenIdentity_whenRead_thenDeviceIsQuadro6000() {
        PciIdentity identity = gpu.identity();

        assertEquals(0x10de, identity.vendor());
        assertEquals(0x06d8, identity.device());
        assertEquals(0x030000, identity.classCode());
        assertEquals(16L << 20, identity.bytesOf(Bar.BAR0));
        assertEquals(128L << 20, identity.bytesOf(Bar.BAR1));
        assertEquals(64L << 20, identity.bytesOf(Bar.BAR3));
        assertEquals(512L << 20, gpu.vramBytes());
    }

    @ParameterizedTest
    @EnumSource(Bar.class)
    void givenRegion_whenAccessedAtBothEnds_thenAccessOutsideIsRefused(Bar bar) {
        long bytes = gpu.identity().bytesOf(bar);

        gpu.read(bar, bytes - 1, 1);
        gpu.read(bar, bytes - 8, 8);
        gpu.write(bar, bytes - 8, 8, -1);
        assertThrows(IndexOutOfBoundsException.class, () -> gpu.read(bar, bytes, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> gpu.write(bar, bytes - 4, 8, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> gpu.read(bar, -4, 4));
    }

    @Test
    void givenRom_whenReadThroughPromAndRomBar_thenImagesAreEqual() {
        for (int offset = 0; offset < 0x600; offset += WORD) {
            assertEquals(
                    gpu.read(Bar.ROM, offset, WORD),
                    gpu.read(Bar.BAR0, Prom.WINDOW.first() + offset, WORD));
        }
        assertEquals(0xaa55, gpu.read(Bar.ROM, 0, 2));
    }

    @Test
    void givenWindowAndPramin_whenEitherIsWritten_thenOtherShowsWrite() {
        VramWindow window = gpu.openWindow(0x1000);
        window.point(0x12_0000);
        write(Pbus.PMEM, 0x12);

        gpu.write(Bar.BAR0, Pramin.WINDOW.first() + 8, WORD, 0xcafe_f00dL);
        assertEquals(0xcafe_f00d, window.memory().get(JAVA_INT, 8));
        window.memory().set(JAVA_INT, 12, 77);
        assertEquals(77, gpu.read(Bar.BAR0, Pramin.WINDOW.first() + 12, WORD));
        window.close();
    }

    @Test
    void givenPagesInSharedWindow_whenVramIsScrubbed_thenPagesAreZero() {
        SharedWindow shared = gpu.openSharedWindow(0x2000).orElseThrow();
        shared.set(1, PageTableEntry.of(MemoryTarget.VRAM, 0x12_0000));
        shared.set(0, PageTableEntry.of(MemoryTarget.VRAM, 0x14_0000));
        shared.flush();
        shared.memory().fill((byte) 1);

        soft.scrub(0x11_0000, 0x2_0000);

        assertEquals(0, shared.memory().get(JAVA_INT, 0x1000));
        assertEquals(0, shared.memory().get(JAVA_INT, 0x1ffc));
        assertEquals(0x0101_0101, shared.memory().get(JAVA_INT, 0), "outside the range");
    }

    @Test
    void givenSharedWindow_whenGpuIsClosed_thenWindowIsReleased() {
        SharedWindow shared = gpu.openSharedWindow(0x2000).orElseThrow();
        shared.set(1, PageTableEntry.of(MemoryTarget.VRAM, 0x12_0000));
        shared.flush();

        gpu.close();

        assertFalse(shared.memory().scope().isAlive());
        shared.close();
    }

    @Test
    void givenSharedWindows_whenPagesMove_thenMovesAreCounted() {
        SharedWindow one = gpu.openSharedWindow(0x2000).orElseThrow();
        SharedWindow other = gpu.openSharedWindow(0x2000).orElseThrow();
        one.set(0, PageTableEntry.of(MemoryTarget.VRAM, 0x12_0000));
        one.set(1, PageTableEntry.of(MemoryTarget.VRAM, 0x13_0000));
        one.flush();
        other.set(0, PageTableEntry.of(MemoryTarget.VRAM, 0x12_0000));
        other.flush();
        one.set(1, PageTableEntry.NOT_PRESENT);
        one.flush();

        assertEquals(3, soft.counters().get(WorkCounter.WINDOW_PAGES_SHOWN));
        assertEquals(1, soft.counters().get(WorkCounter.WINDOW_PAGES_TAKEN));
        assertEquals(1, soft.counters().get(WorkCounter.WINDOW_PAGES_RETURNED));
    }

    @Test
    void givenWindow_whenPointedBeyondVram_thenCallFails() {
        VramWindow window = gpu.openWindow(0x1000);

        window.point(gpu.vramBytes() - 0x1000);
        assertThrows(IndexOutOfBoundsException.class, () -> window.point(gpu.vramBytes()));
        assertThrows(IllegalArgumentException.class, () -> window.point(8));
        assertThrows(IllegalArgumentException.class, () -> gpu.openWindow(100));
    }

    @Test
    void givenBarsWithoutInstanceBlock_whenRead_thenResultIsAllOnes() {
        assertEquals(0xff, gpu.read(Bar.BAR1, 0, 1));
        assertEquals(0xffff_ffffL, gpu.read(Bar.BAR3, 0x1000, WORD));
        gpu.write(Bar.BAR3, 0, 1, 1);
    }

    @Test
    void givenAlarm_whenDue_thenMsiIsSentOncePerRearm() {
        try (EventFd event = EventFd.create()) {
            gpu.connectInterrupt(InterruptKind.MSI, event.descriptor());
            write(Pmc.INTR_EN_HOST, 1);
            write(Ptimer.INTR_EN, 1);
            write(Ptimer.ALARM, (int) (hostNs + 1_000));
            assertEquals(0, soft.doWork());
            assertEquals(1_000, soft.nanosUntilWork());

            hostNs += 1_000;
            assertEquals(1, soft.doWork());
            assertEquals(1, event.drain());

            write(Pmc.INTR_EN_HOST, 0);
            gpu.write(Bar.BAR0, Ppci.CYA_2.offset(), 1, 0xff);
            write(Ptimer.INTR, 1);
            write(Pmc.INTR_EN_HOST, 1);
            assertEquals(0, event.drain());
            assertEquals(1, soft.counters().interruptsSignalled());
            gpu.disconnectInterrupt();
        }
    }

    @Test
    void givenSleepingEngineThread_whenAlarmIsSet_thenThreadIsWoken() {
        Parking engineThread = new Parking(new ThreadWait());
        soft.wakes(engineThread);

        boolean slept =
                engineThread.park(() -> {
                    write(Ptimer.ALARM, (int) (hostNs + 1_000));
                    return true;
                });

        assertFalse(slept, "the thread was woken before it slept");
    }

    @Test
    void givenUnknownRegister_whenAccessed_thenRegisterReadsZeroAndIsListed() {
        gpu.write(Bar.BAR0, 0x00e104, WORD, -1);

        assertEquals(0, gpu.read(Bar.BAR0, 0x00e104, WORD));
        assertEquals(1, soft.undeclared().snapshot().size());
        assertEquals("PNVIO+0x104", soft.undeclared().snapshot().getFirst().name());
    }

    /// A definition that no unit declares would be a known register that the model does not
    /// implement.
    @Test
    void givenLargestBoard_whenEachDefinedRegisterIsRead_thenAllAreDeclared() {
        try (SoftGpu largest = new SoftGpu(SoftGpuConfig.parse("vram=6G,gpcs=4+4+4+4"))) {
            for (int offset : RegisterMap.gf100().definedOffsets()) {
                largest.read(Bar.BAR0, offset, WORD);
            }

            assertEquals(List.of(), largest.undeclared().snapshot());
        }
    }

    @Test
    void givenUsedGpu_whenReset_thenRegistersAndVramHavePowerOnState() {
        write(Pmc.ENABLE, -1);
        write(Pmc.INTR_EN_HOST, 1);
        write(Pbus.PMEM, 0x10);
        gpu.write(Bar.BAR0, Pramin.WINDOW.first(), WORD, 5);

        gpu.reset();

        assertEquals(0, read(Pmc.ENABLE));
        assertEquals(0, read(Pmc.INTR_EN_HOST));
        assertEquals(0, read(Pbus.PMEM));
        write(Pbus.PMEM, 0x10);
        assertEquals(0, gpu.read(Bar.BAR0, Pramin.WINDOW.first(), WORD));
    }

    @Test
    void givenCounters_whenSnapshotted_thenEachCounterHasName() {
        assertTrue(soft.counters().snapshot().containsKey("M2MF_BYTES"));
        assertTrue(soft.counters().snapshot().containsKey("INTERRUPTS_SIGNALLED"));
        assertEquals(0, soft.counters().snapshot().get("LOST_ACCESSES"));
    }

    private long read(Register register) {
        return gpu.read(Bar.BAR0, register.offset(), WORD);
    }

    private void write(Register register, int value) {
        gpu.write(Bar.BAR0, register.offset(), WORD, value);
    }
}
