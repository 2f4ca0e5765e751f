package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FdSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Received bytes that are not yet handled, and their descriptors.
///
/// A receive call receives up to 64 KiB of messages, and the handlers read them in place. A receive
/// call ends after the data that descriptors accompany, so the descriptors belong to the last
/// message that begins in the received bytes.
final class Inbox implements AutoCloseable {
    /// Maximum number of bytes of a receive call; fits into a level-1 or level-2 cache, and has
    /// space for 1800 register writes.
    private static final int CHUNK_BYTES = 64 * 1024;

    /// Space after the last message: data is read 8 bytes at a time, even if fewer are needed.
    private static final int SLACK_BYTES = Long.BYTES;

    private static final int CAPACITY = Limits.MESSAGE_BYTES + CHUNK_BYTES;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(CAPACITY + SLACK_BYTES, Long.BYTES);
    private final List<Descriptor> descriptors = new ArrayList<>();

    /// Descriptors of the last receive call. The list is reused, so that receiving allocates no
    /// memory.
    private final List<Descriptor> arrived = new ArrayList<>();

    private long start;
    private long end;
    private long descriptorsEnd;

    /// Receives once.
    ///
    /// @return number of bytes, [FdSocket#END] or [FdSocket#NOTHING_YET]
    long receive(FdSocket socket) {
        makeRoom();
        long got = socket.receive(buffer, end, Math.min(CHUNK_BYTES, CAPACITY - end), arrived);
        if (got > 0) {
            end += got;
        }
        return got;
    }

    /// Accepts the descriptors of the last [#receive].
    ///
    /// @return false if the message already has descriptors; the new descriptors are stored
    ///   nevertheless, so that they are closed later
    boolean acceptDescriptors() {
        if (arrived.isEmpty()) {
            return true;
        }
        boolean first = descriptors.isEmpty();
        descriptors.addAll(arrived);
        arrived.clear();
        descriptorsEnd = end;
        return first;
    }

    MemorySegment buffer() {
        return buffer;
    }

    /// Returns the offset of the first message.
    long start() {
        return start;
    }

    /// Returns the number of bytes received and not yet handled.
    long bytes() {
        return end - start;
    }

    /// Moves the descriptors of the first message to a list.
    void takeDescriptors(long messageBytes, List<Descriptor> into) {
        if (!descriptors.isEmpty() && start + messageBytes >= descriptorsEnd) {
            into.addAll(descriptors);
            descriptors.clear();
        }
    }

    /// Removes the first message.
    void consume(long messageBytes) {
        start += messageBytes;
    }

    /// Clears all state, for the next client.
    void clear() {
        start = 0;
        end = 0;
        descriptors.addAll(arrived);
        arrived.clear();
        descriptors.forEach(Descriptor::close);
        descriptors.clear();
    }

    @Override
    public void close() {
        clear();
        arena.close();
    }

    /// Moves an incomplete message to the front of the buffer; usually, no message is incomplete.
    private void makeRoom() {
        if (start == 0) {
            return;
        }
        if (start < end) {
            MemorySegment.copy(buffer, start, buffer, 0, end - start);
        }
        descriptorsEnd -= start;
        end -= start;
        start = 0;
    }
}
