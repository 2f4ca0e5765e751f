package io.gpuvm.pv.nouveau;

import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.GpuChannel;
import java.util.List;

/// Channel of nouveau, with the segments that are not yet submitted.
///
/// nouveau does not report errors of a channel. It kills the channel, and then refuses submissions.
final class NouveauChannel implements GpuChannel {
    private final Submitter submitter;
    private final int id;
    private final List<GemBuffer> markers;

    /// Segments to submit. Guarded by the submitter's lock.
    private final PushQueue queue = new PushQueue();

    /// Submissions in progress. Guarded by the submitter's lock.
    private final InFlight inFlight = new InFlight();

    private volatile ChannelFailure failure;

    /// @param markers markers of [InFlight]
    NouveauChannel(Submitter submitter, int id, List<GemBuffer> markers) {
        this.submitter = submitter;
        this.id = id;
        this.markers = markers;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public boolean offer(long gpuVa, int words) {
        return submitter.offer(this, gpuVa, words);
    }

    @Override
    public void ring() {
        submitter.ring(this, false);
    }

    @Override
    public void ringBehindWork() {
        submitter.ring(this, true);
    }

    @Override
    public ChannelFailure failure() {
        submitter.poll();
        return failure;
    }

    @Override
    public void close() {
        submitter.close(this);
    }

    List<GemBuffer> markers() {
        return markers;
    }

    PushQueue queue() {
        return queue;
    }

    InFlight inFlight() {
        return inFlight;
    }

    boolean hasFailed() {
        return failure != null;
    }

    /// Records the first failure; later failures are ignored. Called under the submitter's lock.
    void fail(ChannelFailure reason) {
        if (failure == null) {
            failure = reason;
        }
        queue.clear();
    }

    @Override
    public String toString() {
        return "channel " + id;
    }
}
