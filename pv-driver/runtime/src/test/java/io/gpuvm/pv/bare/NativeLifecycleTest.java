package io.gpuvm.pv.bare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.tests.gpu.RunningGpu;
import io.gpuvm.tests.support.OpenDescriptors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class NativeLifecycleTest {
    private static final int PAGE = 4096;
    private static final int MIB = 1 << 20;

    @Test
    void givenGpu_whenRepeatedlyOpenedAndClosedWithoutFreeingMemory_thenNoResourceLeaks()
            throws Exception {
        try (RunningGpu gpu = new RunningGpu()) {
            openAndClose(gpu);
            int descriptors = OpenDescriptors.count();
            long mappings = mappings();
            for (int i = 0; i < 100; i++) {
                openAndClose(gpu);
            }
            assertEquals(descriptors, OpenDescriptors.count());
            // The Java virtual machine's own mappings vary.
            assertTrue(mappings() < mappings + 100, () -> "mappings before=" + mappings);
        }
    }

    @Test
    void givenGpuWithOccupiedBar_whenOpened_thenGpuIsRefusedWithoutLeak() throws Exception {
        try (RunningGpu gpu = new RunningGpu()) {
            openAndClose(gpu);
            int descriptors = OpenDescriptors.count();
            long bar1 = gpu.device().identity().bytesOf(Bar.BAR1);
            BarSlice taken = gpu.device().openSlice(Bar.BAR1, bar1);
            assertThrows(GpuDeviceException.class, () -> NativeTransport.open(gpu.device()));
            taken.close();

            assertEquals(descriptors, OpenDescriptors.count());
            openAndClose(gpu);
        }
    }

    @Test
    void givenInterruptedThread_whenTransportIsClosed_thenInterruptThreadEnds() {
        try (RunningGpu gpu = new RunningGpu()) {
            NativeTransport transport = NativeTransport.open(gpu.device());
            Thread.currentThread().interrupt();
            transport.close();
            assertTrue(Thread.interrupted());
            boolean running =
                    Thread.getAllStackTraces().keySet().stream()
                            .anyMatch(thread -> thread.getName().equals("gpuvm-native"));
            assertFalse(running);
        }
    }

    private static void openAndClose(RunningGpu gpu) throws InterruptedException {
        try (NativeTransport transport = NativeTransport.open(gpu.device())) {
            transport.allocateHost(9 * MIB);
            transport.allocateVram(MIB);
            PushBuffer push = new PushBuffer(transport);
            push.copy(transport.allocateVram(PAGE).gpuVa(), transport.allocateHost(1).gpuVa(), PAGE)
                    .run();
        }
    }

    private static long mappings() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.count();
        }
    }

    @Test
    void givenVramOfEarlierUser_whenScrubbedTwice_thenEachPageIsZeroedOnce() {
        try (RunningGpu gpu = new RunningGpu();
                VramWindow window = gpu.device().openWindow(4 * MIB);
                VramScrubber scrubber = new VramScrubber(gpu.device(), new ReentrantLock())) {
            long top = gpu.device().vramBytes() - 4 * MIB;
            window.point(top);
            window.memory().fill((byte) 0x5a);

            scrubber.scrub(List.of(new Extent(top + PAGE, PAGE), new Extent(top + MIB, 3 * MIB)));

            byte[] firstBytes = new byte[5];
            for (int i = 0; i < 5; i++) {
                firstBytes[i] = window.memory().get(ValueLayout.JAVA_BYTE, i * PAGE);
            }
            assertArrayEquals(new byte[] {0x5a, 0, 0x5a, 0x5a, 0x5a}, firstBytes);
            assertEquals(
                    -1,
                    window.memory()
                            .asSlice(MIB)
                            .mismatch(MemorySegment.ofArray(new byte[3 * MIB])));

            window.memory().set(ValueLayout.JAVA_BYTE, MIB, (byte) 1);
            scrubber.scrub(List.of(new Extent(top, 2 * MIB)));
            assertEquals(1, window.memory().get(ValueLayout.JAVA_BYTE, MIB));
            assertEquals(0, window.memory().get(ValueLayout.JAVA_BYTE, 0));
        }
    }
}
