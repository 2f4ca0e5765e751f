package io.gpuvm.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// `struct sockaddr_un` of unix(7): a path in the file system as the name of a socket.
final class SocketAddress {
    static final int AF_UNIX = 1;
    static final int SOCK_STREAM = 1;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;

    /// Length of the whole structure, independent of the path.
    static final int BYTES = 110;

    private static final int PATH = 2;

    private SocketAddress() {}

    static MemorySegment of(Path path, SegmentAllocator allocator) {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        int room = BYTES - PATH - 1;
        if (name.length == 0 || name.length > room) {
            throw new IllegalArgumentException(
                    "socket=%s bytes=%d, limit=%d".formatted(path, name.length, room));
        }
        return of(name, allocator);
    }

    /// Returns the address of an abstract socket, whose structure ends after its name.
    ///
    /// @param name at most 107 bytes
    static MemorySegment ofAbstract(byte[] name, SegmentAllocator allocator) {
        byte[] marked = new byte[1 + name.length];
        System.arraycopy(name, 0, marked, 1, name.length);
        return of(marked, allocator).asSlice(0, PATH + (long) marked.length);
    }

    private static MemorySegment of(byte[] name, SegmentAllocator allocator) {
        MemorySegment address = allocator.allocate(BYTES, Long.BYTES);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, PATH, name.length);
        return address;
    }
}
