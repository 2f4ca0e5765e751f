package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.support.OpenDescriptors;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class EventFdTest {
    private static final int EFD_SEMAPHORE = 1;

    @Test
    void givenSignals_whenDrained_thenSignalsAreCountedOnce() {
        try (EventFd event = EventFd.create()) {
            assertEquals(0, event.drain());
            event.signal();
            assertTrue(EventFd.signal(event.descriptor()));
            assertEquals(2, event.drain());
            assertEquals(0, event.drain());
        }
    }

    @Test
    void givenDuplicateOfEventFd_whenSignalled_thenOriginalCounts() {
        try (EventFd event = EventFd.create();
                EventFd copy = EventFd.adopt(Descriptor.duplicate(event.descriptor()))) {
            copy.signal();
            assertEquals(1, event.drain());
        }
    }

    @Test
    void givenPathOnlyDescriptor_whenAdopted_thenDescriptorIsRefusedAndClosed() {
        try (EventFd event = EventFd.create()) {
            int before = OpenDescriptors.count();
            Descriptor path = pathOf(event);
            assertTrue(path.isPathOnly());
            assertThrows(LinuxException.class, () -> EventFd.adopt(path));
            assertFalse(path.isOpen());
            assertEquals(before, OpenDescriptors.count());
        }
    }

    @Test
    void givenUsableDescriptor_whenCheckedForPathOnly_thenResultIsFalse() {
        try (EventFd event = EventFd.create();
                Descriptor copy = Descriptor.duplicate(event.descriptor())) {
            assertFalse(copy.isPathOnly());
        }
    }

    @Test
    void givenDescriptorThatAcceptsNoSignal_whenSignalled_thenSignalReturnsFalse() {
        assertFalse(EventFd.signal(-1));
    }

    @Test
    void givenDescriptors_whenCheckedForEventFd_thenOnlyEventFdIsRecognized() {
        try (EventFd event = EventFd.create();
                MemFd memory = MemFd.create("test", 4096)) {
            assertTrue(EventFd.isEventFd(event.descriptor()));
            assertFalse(EventFd.isEventFd(memory.descriptor()));
            assertFalse(EventFd.isEventFd(-1));
        }
    }

    @Test
    void givenCounters_whenCheckedForSemaphore_thenResultIsFalseAndSignalRemains() {
        try (EventFd event = EventFd.create()) {
            assertFalse(event.isSemaphore());
            assertEquals(0, event.drain());
            event.signal();
            assertFalse(event.isSemaphore());
            assertEquals(1, event.drain());
        }
    }

    @Test
    void givenSemaphores_whenCheckedForSemaphore_thenResultIsTrue() {
        for (int counter : new int[] {0, 1, 5}) {
            int number = Native.C.eventfd(counter, EFD_SEMAPHORE);
            try (EventFd event = EventFd.adopt(Descriptor.own(number))) {
                assertTrue(event.isSemaphore());
                assertEquals(1, event.drain());
            }
        }
    }

    @Test
    void givenClosedDescriptor_whenUsed_thenUseIsRefusedAndSecondCloseHasNoEffect() {
        Descriptor descriptor;
        try (EventFd event = EventFd.create()) {
            descriptor = Descriptor.duplicate(event.descriptor());
        }
        descriptor.close();
        descriptor.close();
        assertFalse(descriptor.isOpen());
        assertThrows(IllegalStateException.class, descriptor::number);
    }

    private static Descriptor pathOf(EventFd event) {
        int path = 0x200000; // O_PATH
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom("/proc/self/fd/" + event.descriptor()).address();
            return Descriptor.own(Native.C.open(name, path, 0));
        }
    }
}
