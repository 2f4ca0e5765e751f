package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.FdSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Replies that are not yet sent. Replies to messages that arrived together are sent together.
///
/// QEMU requires that a header arrive undivided, and that a descriptor accompany the header of its
/// own reply. Therefore, a reply with a descriptor is sent alone, and no reply is appended to a
/// partly sent buffer. Every header is then in the first 32 KiB of a send call, which Linux does
/// not split.
final class Outbox implements AutoCloseable {
    /// Number of bytes above which the replies are sent before another message is handled.
    private static final int HIGH_WATER_BYTES = 16 * 1024;

    /// Space after the last reply: data is written 8 bytes at a time, even if fewer are needed.
    private static final int SLACK_BYTES = Long.BYTES;

    private static final int CAPACITY = HIGH_WATER_BYTES + Limits.MESSAGE_BYTES;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(CAPACITY + SLACK_BYTES, Long.BYTES);
    private final Reply reply = new Reply();
    private long start;
    private long end;
    private boolean withDescriptor;
    private int descriptor;

    boolean isEmpty() {
        return end == 0;
    }

    /// Returns whether another reply may be added before the previous replies are sent.
    ///
    /// @param alone whether the reply may carry a descriptor
    boolean isReady(boolean alone) {
        return alone || withDescriptor || start != 0 ? end == 0 : end <= HIGH_WATER_BYTES;
    }

    /// Returns the buffer for the reply to a message. Valid only until the next call.
    Reply begin(Request request) {
        reply.wrap(buffer, end);
        reply.header().replyTo(request.header());
        return reply;
    }

    /// Appends the reply in preparation.
    void add(int bodyBytes) {
        int bytes = MessageHeader.BYTES + bodyBytes;
        reply.header().size(bytes);
        if (reply.hasDescriptor()) {
            withDescriptor = true;
            descriptor = reply.descriptor();
        }
        end += bytes;
    }

    /// Turns the reply in preparation into a refusal and appends it.
    void addRefusal(int errno) {
        reply.header().error(errno).size(MessageHeader.BYTES);
        end += MessageHeader.BYTES;
    }

    /// Sends as much as the socket accepts.
    ///
    /// @return false if the client has disconnected
    boolean send(FdSocket socket) {
        while (start < end) {
            long sent =
                    withDescriptor
                            ? socket.send(buffer, start, end - start, descriptor)
                            : socket.send(buffer, start, end - start);
            if (sent == 0) {
                return true;
            }
            if (sent == FdSocket.PEER_GONE) {
                return false;
            }
            withDescriptor = false;
            start += sent;
        }
        start = 0;
        end = 0;
        return true;
    }

    /// Clears all state, for the next client.
    void clear() {
        start = 0;
        end = 0;
        withDescriptor = false;
    }

    @Override
    public void close() {
        arena.close();
    }
}
