package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of locks of files and of single bytes. Two open files of one process conflict as those of
/// two processes do.
class DescriptorTest {
    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void create() throws IOException {
        file = Files.createFile(folder.resolve("file"));
    }

    @Test
    void givenLockedByte_whenOtherOpenFileLocks_thenOnlyOtherBytesAreAvailable() {
        try (Descriptor first = Descriptor.open(file);
                Descriptor second = Descriptor.open(file)) {
            assertTrue(first.tryLock(3));
            assertTrue(first.tryLock(3), "an open file does not conflict with itself");
            assertFalse(second.tryLock(3));
            assertTrue(second.tryLock(2));
            assertTrue(second.tryLock(4));
            assertFalse(first.tryLock(4));
        }
    }

    @Test
    void givenLockedByte_whenUnlockedOrClosed_thenByteIsAvailable() {
        try (Descriptor second = Descriptor.open(file)) {
            try (Descriptor first = Descriptor.open(file)) {
                assertTrue(first.tryLock(0));
                assertTrue(first.tryLock(1));
                first.unlock(1);
                assertTrue(second.tryLock(1));
                assertFalse(second.tryLock(0));
            }
            assertTrue(second.tryLock(0));
        }
    }

    @Test
    void givenLockedByte_whenMappingRemains_thenLockRemains() throws IOException {
        Files.write(file, new byte[4096]);
        try (Descriptor second = Descriptor.open(file)) {
            Descriptor first = Descriptor.open(file);
            assertTrue(first.tryLock(0));
            MappedMemory mapping =
                    MappedMemory.map(first.number(), 0, 4096, MappedMemory.Access.READ_WRITE);
            first.close();
            assertFalse(second.tryLock(0));
            mapping.close();
            assertTrue(second.tryLock(0));
        }
    }

    @Test
    void givenSharedLock_whenOtherOpenFilesLock_thenOnlySharedLocksAreAvailable() {
        try (Descriptor third = Descriptor.open(file)) {
            try (Descriptor first = Descriptor.open(file);
                    Descriptor second = Descriptor.open(file)) {
                assertTrue(first.tryLockFile(Descriptor.FileLock.SHARED));
                assertTrue(second.tryLockFile(Descriptor.FileLock.SHARED));
                assertFalse(third.tryLockFile(Descriptor.FileLock.EXCLUSIVE));
                assertTrue(third.tryLock(0), "locks of bytes are independent");
            }
            assertTrue(third.tryLockFile(Descriptor.FileLock.EXCLUSIVE));
        }
    }

    @Test
    void givenDescriptorThatCannotLock_whenLocked_thenLockThrows() {
        try (EventFd event = EventFd.create()) {
            Descriptor closed = Descriptor.duplicate(event.descriptor());
            closed.close();
            assertThrows(IllegalStateException.class, () -> closed.tryLock(0));
        }
    }
}
