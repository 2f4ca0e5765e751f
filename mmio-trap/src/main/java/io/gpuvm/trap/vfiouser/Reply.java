package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// The room for the answer to the message that is being handled. One object serves all messages of
/// a server.
final class Reply {
    private static final int NO_DESCRIPTOR = -1;

    private final MessageHeader header = new MessageHeader();
    private int descriptor;

    Reply wrap(MemorySegment buffer, long start) {
        header.wrap(buffer, start);
        descriptor = NO_DESCRIPTOR;
        return this;
    }

    MessageHeader header() {
        return header;
    }

    MemorySegment buffer() {
        return header.buffer();
    }

    /// Where the body begins in the buffer. There is room for the longest body that exists.
    long body() {
        return header.base() + MessageHeader.BYTES;
    }

    /// Sends a descriptor along. QEMU takes one with a reply, not more. It stays the caller's and
    /// must stay open as long as the device is served.
    void attach(int newDescriptor) {
        descriptor = newDescriptor;
    }

    boolean hasDescriptor() {
        return descriptor != NO_DESCRIPTOR;
    }

    int descriptor() {
        return descriptor;
    }
}
