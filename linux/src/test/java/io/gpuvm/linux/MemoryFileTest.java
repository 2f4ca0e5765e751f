package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryFileTest {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long PAGE = 4096;
    private static final long HUGE_PAGE = 2 << 20;
    private static final int O_PATH = 0x200000;

    @TempDir private Path folder;

    @Test
    void givenMemFd_whenChecked_thenKindIsTmpfs() {
        try (MemFd memory = MemFd.create("test", PAGE)) {
            assertEquals(MemoryFile.TMPFS, MemoryFile.of(memory.descriptor()));
            memory.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
            assertEquals(MemoryFile.TMPFS, MemoryFile.of(memory.descriptor()));
        }
    }

    @Test
    void givenMemFdInHugePages_whenChecked_thenKindIsHugetlbfs() {
        try (MemFd memory = createHuge()) {
            assertEquals(MemoryFile.HUGETLBFS, MemoryFile.of(memory.descriptor()));
        }
    }

    @Test
    void givenFileInSharedMemory_whenChecked_thenKindIsTmpfsAndDirectoryHasNoKind()
            throws IOException {
        assumeTrue(Files.isWritable(SHARED_MEMORY), "no /dev/shm");
        Path file = Files.createTempFile(SHARED_MEMORY, "gpuvm", ".test");
        try (Descriptor open = Descriptor.open(file)) {
            assertEquals(MemoryFile.TMPFS, MemoryFile.of(open.number()));
            assertEquals("tmpfs", MemoryFile.fileSystemOf(open.number()));
        } finally {
            Files.delete(file);
        }
        try (Descriptor open = path(SHARED_MEMORY)) {
            assertNull(MemoryFile.of(open.number()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/zero", "/proc/self/comm"})
    void givenFileOfOtherKind_whenChecked_thenKindIsNullAndFileSystemIsNamed(String path) {
        try (Descriptor open = Descriptor.open(Path.of(path))) {
            assertNull(MemoryFile.of(open.number()));
            assertFalse(MemoryFile.fileSystemOf(open.number()).isEmpty());
        }
        try (Descriptor open = Descriptor.open(Path.of("/proc/self/comm"))) {
            assertEquals("proc", MemoryFile.fileSystemOf(open.number()));
        }
    }

    @Test
    void givenFileOnDisk_whenChecked_thenKindIsNullAndFileSystemIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("disk"));
        String type = Files.getFileStore(file).type();
        assumeTrue(!type.equals("tmpfs"), "temporary files are on tmpfs");
        try (Descriptor open = Descriptor.open(file)) {
            assertNull(MemoryFile.of(open.number()));
            assertEquals(type, MemoryFile.fileSystemOf(open.number()));
        }
    }

    @Test
    void givenEventFdSocketAndPathOnlyDescriptor_whenChecked_thenKindIsNull() {
        try (EventFd event = EventFd.create();
                FdSocket.Pair sockets = FdSocket.pair();
                MemFd memory = MemFd.create("test", PAGE);
                Descriptor named = path(Path.of("/proc/self/fd/" + memory.descriptor()))) {
            assertNull(MemoryFile.of(event.descriptor()));
            assertNull(MemoryFile.of(sockets.left().descriptor()));
            assertNull(MemoryFile.of(named.number()), "only identifies the memory");
            assertFalse(MemoryFile.fileSystemOf(event.descriptor()).isEmpty());
        }
    }

    @Test
    void givenSealedMemoryInHugePages_whenMapped_thenMappingIsFragile() {
        try (MemFd memory = createHuge();
                FileSpace files = new FileSpace()) {
            memory.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
            files.map(new FilePart(memory.descriptor(), 0, HUGE_PAGE, 0, true));
            assertTrue(files.isFragile(files.find(0)));
        }
    }

    /// Creates memory in huge pages; aborts the test if the kernel does not support huge pages.
    private static MemFd createHuge() {
        try {
            return MemFd.createHuge("test", HUGE_PAGE);
        } catch (LinuxException e) {
            return abort(e.getMessage());
        }
    }

    @Test
    void givenSealedMemory_whenMapped_thenMappingIsNotFragile() {
        try (MemFd memory = MemFd.create("test", PAGE);
                FileSpace files = new FileSpace()) {
            memory.seal(EnumSet.of(Seal.SHRINK));
            files.map(new FilePart(memory.descriptor(), 0, PAGE, 0, true));
            assertFalse(files.isFragile(files.find(0)));
        }
    }

    private static Descriptor path(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            return Descriptor.own(
                    Native.C.open(arena.allocateFrom(path.toString()).address(), O_PATH, 0));
        }
    }
}
