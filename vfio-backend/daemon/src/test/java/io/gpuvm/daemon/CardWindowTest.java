package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of a piece of BAR3 for a trusted VMM. The exported descriptor belongs to a file instead of
/// the BAR; the test reads the window's content through the owner's access to BAR3.
class CardWindowTest {
    private static final int PAGE = 4096;
    private static final int BYTES = 4 * PAGE;
    private static final long VRAM = 0x30000;
    private static final long BLANK_IOVA = 1L << 32;
    private static final int IN_BLANK = 0x77;
    private static final int IN_VRAM = 0x1234;

    private final SoftGpu gpu = new SoftGpu(SoftGpuConfig.defaults());
    private final MemFd blankFile = MemFd.create("gpuvm-test-blank", PAGE);
    private final MemFd barFile = MemFd.create("gpuvm-test-bar3", BYTES);
    private final MappedMemory blankMapping =
            MappedMemory.map(blankFile.descriptor(), 0, PAGE, MappedMemory.Access.READ_WRITE);
    private final MemorySegment blank = blankMapping.segment();
    private boolean exports = true;

    CardWindowTest() {
        gpu.mapDma(new DmaMapping(blankFile.descriptor(), 0, PAGE, BLANK_IOVA, true));
    }

    @AfterEach
    void close() {
        gpu.close();
        blankMapping.close();
        blankFile.close();
        barFile.close();
    }

    @Test
    void givenEmptyWindow_whenAccessed_thenBlankPageIsReadWithoutFault() {
        CardWindow window = open();

        gpu.write(Bar.BAR3, PAGE + 8, Integer.BYTES, IN_BLANK);

        assertEquals(IN_BLANK, blank.get(ValueLayout.JAVA_INT, 8));
        assertEquals(IN_BLANK, bar3(3 * PAGE + 8));
        assertNoFault();
        window.giveBack();
    }

    @Test
    void givenPageOfVram_whenShown_thenWindowAndVramAgree() {
        CardWindow window = open();
        try (VramWindow vram = gpu.openWindow(PAGE)) {
            vram.point(VRAM);
            vram.pages().write(4, Integer.BYTES, IN_VRAM);

            window.set(2, PageTableEntry.of(MemoryTarget.VRAM, VRAM));
            assertEquals(0, window.flush());

            assertEquals(IN_VRAM, bar3(2 * PAGE + 4));
            gpu.write(Bar.BAR3, 2 * PAGE + 8, Integer.BYTES, IN_BLANK);
            assertEquals(IN_BLANK, vram.pages().read(8, Integer.BYTES));
        }
        window.giveBack();
    }

    @Test
    void givenAddressOutsideVram_whenSet_thenBlankPageIsShown() {
        CardWindow window = open();
        gpu.write(Bar.BAR3, 0, Integer.BYTES, IN_BLANK);

        window.set(1, PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, BLANK_IOVA + PAGE));
        window.flush();

        assertEquals(IN_BLANK, bar3(PAGE));
        assertThrows(IndexOutOfBoundsException.class, () -> window.set(4, 0));
        window.giveBack();
    }

    @Test
    void givenLeavingGuest_whenCleared_thenNextGuestFindsNoData() {
        CardWindow window = open();
        gpu.write(Bar.BAR3, 0, Integer.BYTES, IN_BLANK);
        window.set(1, PageTableEntry.of(MemoryTarget.VRAM, VRAM));
        window.flush();
        gpu.write(Bar.BAR3, PAGE, Integer.BYTES, IN_VRAM);

        window.close();

        assertEquals(0, bar3(0));
        assertEquals(0, bar3(PAGE));
        assertNoFault();
        window.giveBack();
    }

    @Test
    void givenUnmappableBar_whenOpened_thenPieceIsReleased() {
        exports = false;

        GpuDeviceException e = assertThrows(GpuDeviceException.class, this::open);

        assertEquals("Linux does not permit mapping BAR3", e.getMessage());
        try (BarSlice all = gpu.openSlice(Bar.BAR3, gpu.identity().bytesOf(Bar.BAR3))) {
            assertEquals(0, all.offset());
        }
    }

    @Test
    void givenReleasedPiece_whenAccessedAndAllocatedAgain_thenAccessFaultsAndPieceIsReused() {
        CardWindow window = open();
        Exported first = window.exported();
        window.giveBack();
        bar3(0);
        assertNotEquals(0, faults());

        CardWindow next = open();

        assertEquals(first, next.exported());
        assertEquals(BYTES, next.bytes());
        assertEquals(BYTES, next.memory().byteSize());
        next.giveBack();
    }

    private void assertNoFault() {
        assertEquals(0, faults());
    }

    private long faults() {
        return gpu.read(Bar.BAR0, Pfifo.VM_FAULT_SOURCE.offset(), Integer.BYTES);
    }

    private CardWindow open() {
        return CardWindow.open(card(), BYTES, blank, BLANK_IOVA);
    }

    private int bar3(long offset) {
        return (int) gpu.read(Bar.BAR3, offset, Integer.BYTES);
    }

    /// Returns the software GPU with a BAR3 that appears mappable if [#exports] is true.
    private PhysicalGpu card() {
        Optional<Exported> exported =
                exports
                        ? Optional.of(new Exported(barFile.descriptor(), 0, BYTES))
                        : Optional.empty();
        return (PhysicalGpu)
                Proxy.newProxyInstance(
                        PhysicalGpu.class.getClassLoader(),
                        new Class<?>[] {PhysicalGpu.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("export")) {
                                return exported;
                            }
                            try {
                                return method.invoke(gpu, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
