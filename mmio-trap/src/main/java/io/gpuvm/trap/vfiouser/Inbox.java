package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FdSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Received bytes that have not been handled yet, and the descriptors that came with them.
///
/// One receive call takes as many messages as there are, and they are handled where they lie.
/// Because a receive call ends behind the data that carried descriptors, those belong to the last
/// message that begins in what had been received by then.
final class Inbox implements AutoCloseable {
    /// How much one call receives: what fits a level-1 or 2 cache and holds 1800 register writes.
    private static final int CHUNK_BYTES = 64 * 1024;

    /// Data are read 8 bytes at a time, also when fewer are meant.
    private static final int SLACK_BYTES = Long.BYTES;

    private static final int CAPACITY = Limits.MESSAGE_BYTES + CHUNK_BYTES;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(CAPACITY + SLACK_BYTES, Long.BYTES);
    private final List<Descriptor> descriptors = new ArrayList<>();

    /// Reused from call to call, so that receiving allocates nothing.
    private final List<Descriptor> arrived = new ArrayList<>();

    private long start;
    private long end;
    private long descriptorsEnd;

    /// Receives what is there, once.
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

    /// Takes in the descriptors of the last [#receive].
    ///
    /// @return false if the message they belong to has some already; they are kept all the same, to
    ///   be closed
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

    /// Where the first message begins.
    long start() {
        return start;
    }

    /// Number of bytes that have been received and not been handled.
    long bytes() {
        return end - start;
    }

    /// Hands over the descriptors of the first message.
    void takeDescriptors(long messageBytes, List<Descriptor> into) {
        if (!descriptors.isEmpty() && start + messageBytes >= descriptorsEnd) {
            into.addAll(descriptors);
            descriptors.clear();
        }
    }

    /// Drops the first message.
    void consume(long messageBytes) {
        start += messageBytes;
    }

    /// Forgets everything, for the next client.
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

    /// Moves a message that is not complete to the front; usually there is none.
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
