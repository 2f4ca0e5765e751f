package io.gpuvm.ptx.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the folder of cubins: permissions, damage, eviction, concurrent use.
class CubinCacheTest {
    private static final int ENTRY_BYTES = 1000;
    private static final int HEADER_BYTES = 40;

    /// Number of the user without rights in Linux distributions.
    private static final int NOBODY = 65534;

    @TempDir private Path parent;

    private Path folder() {
        return parent.resolve("caches/ptx");
    }

    private CubinCache cache(int entries) {
        return new CubinCache(folder(), (long) entries * (ENTRY_BYTES + HEADER_BYTES));
    }

    private static CacheKey key(int number) {
        return new CacheKey("%064x".formatted(number));
    }

    private static byte[] cubin(int number) {
        byte[] bytes = new byte[ENTRY_BYTES];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private Path file(int number) {
        return folder().resolve(key(number).name() + ".cubin");
    }

    @Test
    void givenNoFolder_whenCubinIsAdded_thenItIsFoundAndFolderIsPrivate() throws IOException {
        CubinCache cache = cache(4);
        assertNull(cache.find(key(1)));

        cache.add(key(1), cubin(1));

        assertArrayEquals(cubin(1), cache.find(key(1)));
        assertNull(cache.find(key(2)));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file(1))));
    }

    @Test
    void givenFolderThatAllMayWrite_whenCubinIsSearched_thenItIsNotUsed() throws IOException {
        CubinCache cache = cache(4);
        cache.add(key(1), cubin(1));
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertNull(cache.find(key(1)));

        cache.add(key(2), cubin(2));
        assertArrayEquals(cubin(2), cache.find(key(2)));
        assertNull(cache.find(key(1)), "others may have written the file");
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())));
    }

    @Test
    void givenFolderOfOtherUser_whenCubinIsSearched_thenItIsNotUsed() throws IOException {
        cache(4).add(key(1), cubin(1));
        // The folder is the other user's for a process of the owner of the file.
        UserPrincipal user = Files.getOwner(folder());
        Path ofOther =
                Stream.of("/proc/1", "/dev/null")
                        .map(Path::of)
                        .filter(file -> !isOwned(file, user))
                        .findFirst()
                        .orElseGet(() -> fileOfNobody(parent));
        CubinCache other = new CubinCache(folder(), 4 * (ENTRY_BYTES + HEADER_BYTES), ofOther);

        assertNull(other.find(key(1)));
        IOException refused = assertThrows(IOException.class, () -> other.add(key(2), cubin(2)));

        assertTrue(refused.getMessage().contains(": owner="), refused.getMessage());
        assertFalse(Files.exists(file(2)));
        assertArrayEquals(cubin(1), cache(4).find(key(1)));
    }

    private static boolean isOwned(Path file, UserPrincipal user) {
        try {
            return Files.getOwner(file).equals(user);
        } catch (IOException _) {
            return true;
        }
    }

    /// Returns a file that the superuser, which owns the other files, gives to another user.
    private static Path fileOfNobody(Path folder) {
        try {
            Path file = Files.createFile(folder.resolve("file-of-nobody"));
            return Files.setAttribute(file, "unix:uid", NOBODY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void givenDamagedFiles_whenCubinsAreSearched_thenFilesAreDeleted() throws IOException {
        CubinCache cache = cache(8);
        List<byte[]> damaged = new ArrayList<>();
        byte[] whole = CacheEntry.of(cubin(1));
        for (int at : new int[] {0, 9, HEADER_BYTES, whole.length - 1}) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            damaged.add(changed);
        }
        damaged.add(new byte[0]);
        damaged.add(Arrays.copyOf(whole, whole.length - 1));
        for (byte[] contents : damaged) {
            cache.add(key(1), cubin(1));
            Files.write(file(1), contents);

            assertNull(cache.find(key(1)));
            assertFalse(Files.exists(file(1)));
        }
    }

    @Test
    void givenFullCache_whenCubinIsAdded_thenLeastRecentlyUsedAreDeleted() throws IOException {
        CubinCache cache = cache(4);
        for (int i = 0; i < 4; i++) {
            cache.add(key(i), cubin(i));
            Files.setLastModifiedTime(file(i), FileTime.fromMillis(1_000L * (i + 1)));
        }
        assertNotNull(cache.find(key(0)));

        cache.add(key(4), cubin(4));

        assertNotNull(cache.find(key(0)));
        assertNotNull(cache.find(key(4)));
        assertNull(cache.find(key(1)));
        assertTrue(bytesOfFiles() <= 4 * (ENTRY_BYTES + HEADER_BYTES));
    }

    @Test
    void givenCubinBeyondLimit_whenAdded_thenNothingIsKept() throws IOException {
        CubinCache cache = cache(1);

        cache.add(key(1), new byte[ENTRY_BYTES + 1]);

        assertNull(cache.find(key(1)));
        assertFalse(Files.exists(folder()));
    }

    @Test
    void givenAbandonedTemporaryFile_whenCubinIsAdded_thenFileIsDeleted() throws IOException {
        CubinCache cache = cache(4);
        cache.add(key(1), cubin(1));
        Path abandoned = Files.write(folder().resolve("old.tmp"), cubin(2));
        Path fresh = Files.write(folder().resolve("new.tmp"), cubin(3));
        Files.setLastModifiedTime(
                abandoned, FileTime.from(Instant.now().minus(Duration.ofHours(2))));

        cache.add(key(2), cubin(2));

        assertFalse(Files.exists(abandoned));
        assertTrue(Files.exists(fresh));
    }

    @Test
    void givenThreadsOnOneFolder_whenTheyAddAndFind_thenEachCubinIsWholeOrAbsent()
            throws InterruptedException, IOException {
        final int threads = 4;
        final int rounds = 200;
        final int keys = 6;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Random random = new Random(i);
            CubinCache own = cache(3);
            Thread thread =
                    new Thread(() -> {
                        try {
                            for (int round = 0; round < rounds; round++) {
                                int number = random.nextInt(keys);
                                byte[] found = own.find(key(number));
                                if (found == null) {
                                    own.add(key(number), cubin(number));
                                } else {
                                    assertArrayEquals(cubin(number), found);
                                }
                            }
                        } catch (IOException | AssertionError e) {
                            failure.set(e);
                        }
                    });
            running.add(thread);
            thread.start();
        }
        for (Thread thread : running) {
            thread.join();
        }
        assertNull(failure.get());
        assertTrue(bytesOfFiles() <= 3L * (ENTRY_BYTES + HEADER_BYTES));
    }

    private long bytesOfFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
