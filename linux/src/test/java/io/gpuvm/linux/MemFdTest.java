package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.MappedMemory.Access;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemFdTest {
    private static final long PAGE = 4096;

    @Test
    void givenTwoMappings_whenFirstMappingIsWritten_thenSecondMappingShowsWrite() {
        try (MemFd memory = MemFd.create("test", 4 * PAGE);
                MappedMemory all =
                        MappedMemory.map(memory.descriptor(), 0, 4 * PAGE, Access.READ_WRITE);
                MappedMemory part =
                        MappedMemory.map(memory.descriptor(), PAGE, PAGE, Access.READ_ONLY)) {
            all.segment().set(ValueLayout.JAVA_INT, PAGE + 8, 42);
            assertEquals(42, part.segment().get(ValueLayout.JAVA_INT, 8));
            assertEquals(PAGE, part.segment().byteSize());
        }
    }

    @Test
    void givenPartOfMapping_whenClosed_thenOnlyPartIsInaccessible() {
        try (MemFd memory = MemFd.create("test", 4 * PAGE);
                MappedMemory all =
                        MappedMemory.map(memory.descriptor(), 0, 4 * PAGE, Access.READ_WRITE)) {
            MappedMemory part = all.part(PAGE, PAGE);
            MemorySegment segment = part.segment();
            segment.set(ValueLayout.JAVA_INT, 8, 42);
            assertEquals(PAGE, segment.byteSize());
            part.close();
            assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_INT, 8));
            assertEquals(42, all.segment().get(ValueLayout.JAVA_INT, PAGE + 8));
        }
    }

    @Test
    void givenReadOnlyMapping_whenWritten_thenWriteIsRefused() {
        try (MemFd memory = MemFd.create("test", PAGE);
                MappedMemory mapped =
                        MappedMemory.map(memory.descriptor(), 0, PAGE, Access.READ_ONLY)) {
            MemorySegment segment = mapped.segment();
            assertThrows(
                    IllegalArgumentException.class, () -> segment.set(ValueLayout.JAVA_INT, 0, 1));
        }
    }

    @Test
    void givenClosedMapping_whenRead_thenReadIsRefused() {
        MemorySegment segment;
        try (MemFd memory = MemFd.create("test", PAGE);
                MappedMemory mapped =
                        MappedMemory.map(memory.descriptor(), 0, PAGE, Access.READ_ONLY)) {
            segment = mapped.segment();
        }
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_INT, 0));
    }

    @Test
    void givenWrittenPages_whenHoleIsPunched_thenPagesReadZero() {
        try (MemFd memory = MemFd.create("test", 2 * PAGE);
                MappedMemory mapped =
                        MappedMemory.map(memory.descriptor(), 0, 2 * PAGE, Access.READ_WRITE)) {
            mapped.segment().fill((byte) 1);
            memory.punchHole(0, PAGE);
            assertEquals(0, mapped.segment().get(ValueLayout.JAVA_BYTE, PAGE - 1));
            assertEquals(1, mapped.segment().get(ValueLayout.JAVA_BYTE, PAGE));
            assertEquals(2 * PAGE, memory.bytes());
        }
    }

    @Test
    void givenShrinkSeal_whenFileIsTruncated_thenTruncationIsRefused() {
        try (MemFd memory = MemFd.create("test", 2 * PAGE)) {
            memory.seal(EnumSet.of(Seal.SHRINK));
            LinuxException refused = assertThrows(LinuxException.class, () -> memory.resize(PAGE));
            assertTrue(refused.is(Errno.EPERM), refused.getMessage());
            assertEquals(Set.of(Seal.SHRINK), Seal.of(memory.descriptor()));
        }
    }

    @Test
    void givenUnsealableFile_whenSealsAreRead_thenFileHasNoSeals() {
        try (EventFd event = EventFd.create()) {
            assertEquals(Set.of(), Seal.of(event.descriptor()));
        }
    }

    @Test
    void givenTruncatedFile_whenMappingIsRead_thenReadThrowsInternalError() {
        try (MemFd memory = MemFd.create("test", 2 * PAGE);
                MappedMemory mapped =
                        MappedMemory.map(memory.descriptor(), 0, 2 * PAGE, Access.READ_WRITE)) {
            memory.resize(PAGE);
            MemorySegment segment = mapped.segment();
            assertThrows(InternalError.class, () -> segment.get(ValueLayout.JAVA_INT, PAGE));
        }
    }

    @Test
    void givenDuplicateDescriptor_whenFilesAreCompared_thenFilesAreSame() {
        try (MemFd one = MemFd.create("one", PAGE);
                MemFd two = MemFd.create("two", PAGE);
                Descriptor copy = Descriptor.duplicate(one.descriptor())) {
            FileStatus status = FileStatus.of(one.descriptor());
            assertTrue(status.sameFile(FileStatus.of(copy.number())));
            assertFalse(status.sameFile(FileStatus.of(two.descriptor())));
            assertEquals(PAGE, status.bytes());
        }
    }

    @Test
    void givenOffsetInsidePage_whenMapped_thenErrorNamesCallAndReason() {
        try (MemFd memory = MemFd.create("test", PAGE)) {
            LinuxException refused =
                    assertThrows(
                            LinuxException.class,
                            () -> MappedMemory.map(memory.descriptor(), 1, PAGE, Access.READ_ONLY));
            assertTrue(refused.is(Errno.EINVAL));
            assertTrue(refused.getMessage().startsWith("mmap("), refused.getMessage());
            assertTrue(refused.getMessage().endsWith("EINVAL"), refused.getMessage());
        }
    }
}
