package io.gpuvm.linux;

import java.util.ArrayList;
import java.util.List;

/// Files of which a [FileSpace] shows parts, each mapped once, and the limits on their number and
/// size. Not thread-safe.
final class MappedFiles {
    /// Limit on mapped bytes: more than the memory of any virtual machine, and a small part of a
    /// process's address space of 128 TiB.
    private static final long MAX_MAPPED_BYTES = 8L << 40;

    /// Limit on the number of mapped files, well above the number that back a virtual machine's
    /// memory. A file that grows counts again, because it is mapped again; the kernel limits a
    /// process to 65530 mappings (`vm.max_map_count`).
    private static final int MAX_FILES = 256;

    private final List<MappedFile> files = new ArrayList<>();

    /// Returns the number of mapped files.
    int size() {
        return files.size();
    }

    /// Finds or creates the mapping of a part's file, and adds a user to the mapping.
    ///
    /// @param status status of the part's file
    /// @throws FileSpaceException if the file is not a [MemoryFile], if it ends before the end of
    ///   the part, if too many files or bytes are mapped, or if the kernel refuses to map the file
    MappedFile retain(FilePart part, FileStatus status) {
        MappedFile file = fileOf(part, status);
        file.retain();
        return file;
    }

    /// Removes a user from a mapping. Removing the last user unmaps the file.
    void release(MappedFile file) {
        if (file.release()) {
            files.remove(file);
        }
    }

    private MappedFile fileOf(FilePart part, FileStatus status) {
        long end = part.offset() + part.bytes();
        if (part.offset() < 0 || end < 0 || end > status.bytes()) {
            throw new FileSpaceException(
                    "offset=%#x bytes=%#x, limit=%#x bytes of file"
                            .formatted(part.offset(), part.bytes(), status.bytes()));
        }
        for (MappedFile file : files) {
            if (file.serves(status, end, part.writable())) {
                return file;
            }
        }
        if (MemoryFile.of(part.descriptor()) == null) {
            throw new FileSpaceException(
                    "fileSystem=%s, expected %s"
                            .formatted(
                                    MemoryFile.fileSystemOf(part.descriptor()),
                                    MemoryFile.ACCEPTED));
        }
        checkRoom(status);
        try {
            MappedFile file = MappedFile.map(part.descriptor(), status, part.writable());
            files.add(file);
            return file;
        } catch (LinuxException e) {
            throw new FileSpaceException(
                    "descriptor=" + part.descriptor() + ": file cannot be mapped", e);
        }
    }

    /// Checks the limits. Files are mapped whole, and a sparse file can have any length: without
    /// limits, a few such files would exhaust this process's address space.
    private void checkRoom(FileStatus status) {
        if (files.size() == MAX_FILES) {
            throw new FileSpaceException(
                    "mapped files=%d, limit=%d".formatted(files.size(), MAX_FILES));
        }
        long mapped = 0;
        for (MappedFile file : files) {
            mapped += file.bytes();
        }
        if (status.bytes() > MAX_MAPPED_BYTES - mapped) {
            throw new FileSpaceException(
                    "file bytes=%#x, mapped bytes=%#x, limit=%#x in total"
                            .formatted(status.bytes(), mapped, MAX_MAPPED_BYTES));
        }
    }
}
