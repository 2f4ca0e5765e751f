package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.ComputeCommands;
import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.pv.transport.GenericWindows;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.TransportException;
import java.util.Arrays;

/// Queues of a context, and their assignment to streams. A stream receives its own queue while
/// channels are left; later streams share the queue with the fewest streams. A queue without
/// streams is retained for the next stream. Any thread.
final class CommandQueues {
    /// Maximum number of channels of one context: more channels bring no benefit, and other
    /// contexts also need channels.
    private static final int MOST = 16;

    private final GpuTransport transport;
    private final ContextState state;
    private final GpuWait news;
    private final int[] users = new int[MOST];
    private volatile CommandQueue[] queues = {};

    CommandQueues(GpuTransport transport, ContextState state, GpuWait news) {
        this.transport = transport;
        this.state = state;
        this.news = news;
    }

    /// Returns a queue for a new stream.
    ///
    /// @throws GpuException [GpuError#OUT_OF_RESOURCES] if no channel could be opened at all
    synchronized CommandQueue take() {
        int best = leastUsed();
        if (best < 0 || users[best] > 0 && queues.length < most()) {
            best = tryOpen(best);
        }
        users[best]++;
        return queues[best];
    }

    /// Records that a stream no longer uses the queue.
    synchronized void giveBack(CommandQueue queue) {
        users[Arrays.asList(queues).indexOf(queue)]--;
    }

    /// Returns the positions of all queues. Waits for threads that hold a queue's lock, so that
    /// their submissions are included.
    QueuePositions submitted() {
        CommandQueue[] all = queues;
        long[] numbers = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            numbers[i] = all[i].awaitSubmitted();
        }
        return new QueuePositions(all, numbers);
    }

    /// Submits the open submissions of all queues.
    void flush() {
        for (CommandQueue queue : queues) {
            queue.flush();
        }
    }

    private int most() {
        return Math.min(MOST, transport.limits().channels());
    }

    private int leastUsed() {
        int best = -1;
        for (int i = 0; i < queues.length; i++) {
            if (best < 0 || users[i] < users[best]) {
                best = i;
            }
        }
        return best;
    }

    /// @param otherwise index of the queue to return if no channel is left; -1 to fail
    private int tryOpen(int otherwise) {
        int index = queues.length;
        try {
            CommandQueue queue = new CommandQueue(transport, state, news, copyUnit(index));
            prepare(queue);
            CommandQueue[] more = Arrays.copyOf(queues, index + 1);
            more[index] = queue;
            queues = more;
            return index;
        } catch (TransportException e) {
            state.check();
            if (otherwise < 0) {
                throw new GpuException(GpuError.OUT_OF_RESOURCES, e.getMessage(), e);
            }
            return otherwise;
        }
    }

    /// Returns the copy unit of a queue: the copy engines in rotation, M2MF if there are none.
    private CopyUnit copyUnit(int index) {
        return switch (transport.limits().copyEngines()) {
            case 0 -> CopyUnit.M2MF;
            case 1 -> CopyUnit.COPY0;
            default -> index % 2 == 0 ? CopyUnit.COPY0 : CopyUnit.COPY1;
        };
    }

    private static void prepare(CommandQueue queue) {
        queue.lock();
        try {
            PushBuffer push = queue.begin(2 * CopyUnit.BIND_WORDS + ComputeCommands.SETUP_WORDS);
            CopyUnit.M2MF.bind(push);
            queue.copyUnit().bind(push);
            ComputeCommands.setup(push, (int) GenericWindows.SHARED, (int) GenericWindows.LOCAL);
            queue.submit();
        } finally {
            queue.unlock();
        }
    }
}
