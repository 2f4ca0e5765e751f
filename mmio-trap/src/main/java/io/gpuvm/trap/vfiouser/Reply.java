package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Buffer for the reply to the message in progress. A server reuses one object for all messages.
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

    /// Returns the offset of the body in the buffer, which has room for the longest body.
    long body() {
        return header.base() + MessageHeader.BYTES;
    }

    /// Attaches a descriptor to the reply. QEMU accepts at most one per reply. The caller remains
    /// the owner of the descriptor, which must stay open while the device is served.
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
