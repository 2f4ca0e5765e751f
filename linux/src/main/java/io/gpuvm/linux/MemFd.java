package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.Set;

/// Anonymous memory with a file descriptor, so that another process can map it (memfd_create(2)).
///
/// Pages that have never been written occupy no memory.
public final class MemFd implements AutoCloseable {
    private static final int MFD_CLOEXEC = 0x1;
    private static final int MFD_ALLOW_SEALING = 0x2;
    private static final int MFD_HUGETLB = 0x4;
    private static final int FALLOC_FL_KEEP_SIZE = 0x1;
    private static final int FALLOC_FL_PUNCH_HOLE = 0x2;

    private final Descriptor descriptor;

    private MemFd(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /// Creates memory that reads as zeros.
    ///
    /// @param name shown in `/proc/PID/fd`, for diagnosis
    /// @param bytes length of the file
    public static MemFd create(String name, long bytes) {
        return create(name, bytes, 0);
    }

    /// Creates memory that reads as zeros, and whose length no process can change: accesses within
    /// the length never fault.
    ///
    /// @param name shown in `/proc/PID/fd`, for diagnosis
    /// @param bytes length of the file
    public static MemFd createSealed(String name, long bytes) {
        MemFd memory = create(name, bytes, 0);
        try {
            memory.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
            return memory;
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    /// Creates memory in huge pages of the system's default size, which the administrator has
    /// reserved (`vm.nr_hugepages`).
    ///
    /// @param bytes length of the file, a multiple of the size of a huge page
    /// @throws LinuxException if the kernel does not support huge pages; a shortage of pages is
    ///   reported only when the memory is mapped or accessed
    public static MemFd createHuge(String name, long bytes) {
        return create(name, bytes, MFD_HUGETLB);
    }

    private static MemFd create(String name, long bytes, int flags) {
        int number;
        try (Arena arena = Arena.ofConfined()) {
            long nameAddress = arena.allocateFrom(name).address();
            number = Native.C.memfd_create(nameAddress, MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);
        }
        if (number < 0) {
            throw Native.failure("memfd_create(" + name + ")");
        }
        MemFd memory = new MemFd(Descriptor.own(number));
        try {
            memory.resize(bytes);
        } catch (LinuxException e) {
            memory.close();
            throw e;
        }
        return memory;
    }

    /// Returns the descriptor's number, valid until [#close()].
    public int descriptor() {
        return descriptor.number();
    }

    /// Returns the length of the file.
    public long bytes() {
        return FileStatus.of(descriptor.number()).bytes();
    }

    /// Extends the file with zeros, or truncates it; accesses to truncated parts of mappings then
    /// fault.
    public void resize(long bytes) {
        if (Native.C.ftruncate(descriptor.number(), bytes) != 0) {
            throw Native.failure("ftruncate(" + bytes + " bytes)");
        }
    }

    /// Adds file seals, which cannot be removed.
    public void seal(Set<Seal> seals) {
        Seal.add(descriptor.number(), seals);
    }

    /// Returns the pages of a range to the system; the range then reads as zeros through every
    /// mapping.
    public void punchHole(long offset, long bytes) {
        int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
        int result;
        do {
            result = Native.C.fallocate(descriptor.number(), mode, offset, bytes);
        } while (result != 0 && Native.interrupted());
        if (result != 0) {
            throw Native.failure("fallocate(punch hole, " + offset + ", " + bytes + " bytes)");
        }
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
