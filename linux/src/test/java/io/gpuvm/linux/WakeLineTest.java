package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WakeLineTest {
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int MORE_THAN_FITS = 100_000;

    @Test
    void givenLine_whenEitherSideSignals_thenOtherSideIsReadable() {
        try (WakeLine line = WakeLine.create();
                Poller poller = new Poller(2)) {
            EventFd far = EventFd.adopt(line.far());
            poller.set(0, line.descriptor());
            poller.set(1, far.descriptor());
            far.signal();
            poller.poll(TimeUnit.SECONDS.toNanos(10));
            assertTrue(poller.ready(0));
            assertTrue(line.drain());
            line.signal();
            poller.poll(TimeUnit.SECONDS.toNanos(10));
            assertFalse(poller.ready(0));
            assertTrue(poller.ready(1));
            assertEquals(1, far.drain());
        }
    }

    @Test
    void givenBlockingFarEnd_whenNoDataIsRead_thenNeitherSignalNorDrainWaits() {
        try (WakeLine line = WakeLine.create()) {
            int far = line.far().number();
            Native.C.fcntl(far, F_SETFL, Native.C.fcntl(far, F_GETFL, 0) & ~O_NONBLOCK);
            for (int i = 0; i < MORE_THAN_FITS; i++) {
                line.signal();
            }
            assertTrue(line.drain());
        }
    }

    @Test
    void givenFarEnd_whenDescriptorIsSent_thenSendIsRefused() {
        try (Arena arena = Arena.ofConfined();
                WakeLine line = WakeLine.create();
                FdSocket far = new FdSocket(Descriptor.duplicate(line.far().number()));
                EventFd event = EventFd.create()) {
            assumeTrue(PassedDescriptors.refuse(line.descriptor()), "Linux before 6.16");
            MemorySegment data = arena.allocate(Long.BYTES);
            assertThrows(
                    LinuxException.class, () -> far.send(data, 0, Long.BYTES, event.descriptor()));
            assertEquals(Long.BYTES, far.send(data, 0, Long.BYTES));
            assertTrue(line.drain());
        }
    }

    @Test
    void givenClosedFarEnd_whenLineIsUsed_thenOnlyDrainReportsEnd() {
        try (WakeLine line = WakeLine.create()) {
            line.far().close();
            line.signal();
            assertFalse(line.drain());
        }
    }
}
