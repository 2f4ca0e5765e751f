package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of access to a region in the middle of a file; the second page can be mapped, the first
/// and third cannot. A memory file takes the place of the device's file.
class RegionAccessTest {
    private static final long PAGE = 4096;
    private static final long START = 2 * PAGE;
    private static final long ALL_ONES = 0xffff_ffffL;
    private static final long PATTERN = 0x8877_6655_4433_2211L;

    private final MemFd file = MemFd.create("gpuvm-test", 8 * PAGE);
    private final KernelFile device = new KernelFile("test", file.descriptor());
    private final RegionAccess region =
            new RegionAccess(
                    device,
                    new VfioRegion(0, 3 * PAGE, START, List.of(new VfioRegion.Area(PAGE, PAGE))));

    @AfterEach
    void close() {
        region.close();
        file.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0x10, PAGE + 0x10, 2 * PAGE + 0x10})
    void givenAnyPart_whenWrittenInEveryWidth_thenFileAndReadsAgree(long offset) {
        region.write(offset, 8, PATTERN);
        assertEquals(PATTERN, device.read(START + offset, 8));
        assertEquals(0x8877_6655L, region.read(offset + 4, 4));
        assertEquals(0x8877L, region.read(offset + 6, 2));
        assertEquals(0x88L, region.read(offset + 7, 1));

        region.write(offset + 4, 4, 0xffff_ffff_0102_0304L);
        region.write(offset + 2, 2, 0xffff_0506L);
        region.write(offset + 1, 1, 0xff07);

        assertEquals(0x0102_0304_0506_0711L, region.read(offset, 8));
    }

    @Test
    void givenAccessesBeyondRegion_whenPerformed_thenAccessesAreRefused() {
        assertThrows(IndexOutOfBoundsException.class, () -> region.read(3 * PAGE, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> region.read(3 * PAGE - 4, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> region.write(-4, 4, 0));
    }

    @Test
    void givenPartlyMappedRegion_whenMemoryIsRequested_thenOnlyMappedPartIsReturned() {
        region.write(PAGE + 8, 4, 77);

        assertEquals(77, region.memory(PAGE, PAGE).get(ValueLayout.JAVA_INT, 8));
        assertNull(region.memory(PAGE, 2 * PAGE));
        assertNull(region.memory(0, PAGE));
    }

    /// Simulates a device that is off, whose memory the kernel has unmapped.
    @Test
    void givenUnmappedDeviceMemory_whenAccessed_thenErrorIsThrownAndJvmSurvives() {
        file.resize(START);

        assertThrows(InternalError.class, () -> region.read(PAGE + 4, 4));
        assertThrows(InternalError.class, () -> region.write(PAGE + 8, 4, 1));

        assertTrue(new CardPresence("test", region).isGone());
    }

    @Test
    void givenRegisterOfAllOnes_whenChecked_thenCardIsAbsentOnlyIfIdIsAllOnes() {
        CardPresence presence = new CardPresence("test", region);
        presence.check(ALL_ONES, 4);

        region.write(0, 4, ALL_ONES);

        presence.check(ALL_ONES - 1, 4);
        presence.check(ALL_ONES, 8);
        String gone =
                assertThrows(GpuDeviceException.class, () -> presence.check(ALL_ONES, 4))
                        .getMessage();
        assertTrue(gone.contains("unplugged"), gone);
    }

    @Test
    void givenAccessesToMappedParts_whenRepeated_thenNoHeapMemoryIsAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        access(20_000);
        long before = threads.getCurrentThreadAllocatedBytes();

        access(20_000);

        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < 1024, () -> "allocated " + bytes);
    }

    private void access(int times) {
        for (int i = 0; i < times; i++) {
            region.write(PAGE + 4L * (i & 63), 4, region.read(PAGE + 8L * (i & 31), 8));
        }
    }
}
