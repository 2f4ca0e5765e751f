package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.FdSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Replies that have not been sent yet. Those to messages that arrived together leave together.
///
/// Two needs of QEMU shape this class: a header must arrive in one piece, and a descriptor must
/// come with the header of its own reply. Therefore a reply with a descriptor is sent alone, and
/// nothing is appended to what is partly sent: then every header lies in the first 32 KiB of a send
/// call, which the kernel does not split.
final class Outbox implements AutoCloseable {
    /// More than this is sent before another message is handled.
    private static final int HIGH_WATER_BYTES = 16 * 1024;

    /// Data are written 8 bytes at a time, also when fewer are meant.
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

    /// Whether there is room for one more reply.
    ///
    /// @param alone whether that reply may come with a descriptor
    boolean isReady(boolean alone) {
        return alone || withDescriptor || start != 0 ? end == 0 : end <= HIGH_WATER_BYTES;
    }

    /// The room for the reply to a message. Only valid until the next call.
    Reply begin(Request request) {
        reply.wrap(buffer, end);
        reply.header().replyTo(request.header());
        return reply;
    }

    /// Keeps the reply that was begun.
    void add(int bodyBytes) {
        int bytes = MessageHeader.BYTES + bodyBytes;
        reply.header().size(bytes);
        if (reply.hasDescriptor()) {
            withDescriptor = true;
            descriptor = reply.descriptor();
        }
        end += bytes;
    }

    /// Turns the reply that was begun into a refusal and keeps it.
    void addRefusal(int errno) {
        reply.header().error(errno).size(MessageHeader.BYTES);
        end += MessageHeader.BYTES;
    }

    /// Sends as much as the socket takes.
    ///
    /// @return false if the client is gone
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

    /// Forgets everything, for the next client.
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
