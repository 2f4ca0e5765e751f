package io.gpuvm.ptx.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Cubins in a folder that only this process's user can access, by name. Any number of threads and
/// processes may use the same folder: a file appears complete, by renaming, and disappears as a
/// whole. A damaged file is deleted when it is read. When the files exceed the limit, those that
/// were used least recently are deleted; the time of a file's last change is that of its last use.
final class CubinCache {
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rwx------");
    private static final String SUFFIX = ".cubin";
    private static final String TEMPORARY = ".tmp";

    /// Part of the limit that remains after files are deleted, so that not each addition deletes
    /// some: nine tenths.
    private static final int TENTHS_KEPT = 9;

    private static final int TENTHS = 10;

    /// Age at which a temporary file belongs to a process that has ended.
    private static final Duration ABANDONED = Duration.ofHours(1);

    /// File of the cache.
    private record Kept(Path path, long bytes, FileTime used) {}

    /// Folder of this process, whose owner is the process's effective user (proc(5)).
    private static final Path PROCESS = Path.of("/proc/self");

    private final Path folder;
    private final long maxBytes;
    private final Path ownedByUser;

    /// @param folder folder, which is created with its parents when the first file is added
    /// @param maxBytes maximum number of bytes of all files
    CubinCache(Path folder, long maxBytes) {
        this(folder, maxBytes, PROCESS);
    }

    /// @param ownedByUser file whose owner is the user to whom the folder must belong
    CubinCache(Path folder, long maxBytes, Path ownedByUser) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.ownedByUser = ownedByUser;
    }

    /// Returns the cubin with a name, or null.
    ///
    /// @throws IOException if the folder or a file cannot be accessed
    byte[] find(CacheKey key) throws IOException {
        Path file = file(key);
        byte[] contents;
        try {
            if (Files.size(file) > maxBytes || !isOwn() || !isPrivate()) {
                return null;
            }
            contents = Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            return null;
        }
        byte[] cubin = CacheEntry.cubin(contents);
        if (cubin == null) {
            Files.deleteIfExists(file);
            return null;
        }
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        } catch (NoSuchFileException _) {
            // Another process has deleted the file.
        }
        return cubin;
    }

    /// Adds a cubin, unless it is longer than the limit.
    ///
    /// @throws IOException if the folder or a file cannot be accessed, or another user owns the
    ///   folder
    void add(CacheKey key, byte[] cubin) throws IOException {
        byte[] contents = CacheEntry.of(cubin);
        if (contents.length > maxBytes) {
            return;
        }
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
        if (!isOwn()) {
            throw new IOException(
                    "%s: owner=%s, expected %s"
                            .formatted(
                                    folder, Files.getOwner(folder), Files.getOwner(ownedByUser)));
        }
        if (!isPrivate()) {
            Files.setPosixFilePermissions(folder, PRIVATE);
            // Others may have written them.
            for (Kept file : files()) {
                Files.deleteIfExists(file.path);
            }
        }
        Path temporary = Files.createTempFile(folder, key.name(), TEMPORARY);
        try {
            Files.write(temporary, contents);
            replace(temporary, file(key));
        } finally {
            Files.deleteIfExists(temporary);
        }
        evict();
    }

    private static void replace(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException(to + ": file system without atomic renaming", e);
        }
    }

    /// Returns whether the folder's owner, who can change its mode and contents at any time, is the
    /// user of this process.
    private boolean isOwn() throws IOException {
        return Files.getOwner(folder).equals(Files.getOwner(ownedByUser));
    }

    private boolean isPrivate() throws IOException {
        return Files.getPosixFilePermissions(folder).equals(PRIVATE);
    }

    private Path file(CacheKey key) {
        return folder.resolve(key.name() + SUFFIX);
    }

    /// Deletes the files that were used least recently, and abandoned temporary files.
    private void evict() throws IOException {
        List<Kept> kept = new ArrayList<>();
        long bytes = 0;
        for (Kept file : files()) {
            if (file.path.toString().endsWith(SUFFIX)) {
                kept.add(file);
                bytes += file.bytes;
            } else if (isAbandoned(file)) {
                Files.deleteIfExists(file.path);
            }
        }
        if (bytes <= maxBytes) {
            return;
        }
        kept.sort(Comparator.comparing(Kept::used));
        for (Kept file : kept) {
            if (bytes <= maxBytes / TENTHS * TENTHS_KEPT) {
                return;
            }
            Files.deleteIfExists(file.path);
            bytes -= file.bytes;
        }
    }

    private static boolean isAbandoned(Kept file) {
        return file.path.toString().endsWith(TEMPORARY)
                && file.used.toInstant().isBefore(Instant.now().minus(ABANDONED));
    }

    private List<Kept> files() throws IOException {
        List<Kept> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                try {
                    BasicFileAttributes file =
                            Files.readAttributes(path, BasicFileAttributes.class);
                    if (file.isRegularFile()) {
                        found.add(new Kept(path, file.size(), file.lastModifiedTime()));
                    }
                } catch (NoSuchFileException _) {
                    // Another process has deleted the file.
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return found;
    }
}
