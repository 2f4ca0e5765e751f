package io.gpuvm.pv.transport;

import io.gpuvm.pv.protocol.ChannelFailure;

/// Channel: queue of push-buffer segments that the GPU executes in order. One thread at a time.
public interface GpuChannel extends AutoCloseable {
    /// Returns the number of the channel, for messages.
    int id();

    /// Queues a push-buffer segment. The GPU is not guaranteed to see it before [#ring()].
    ///
    /// @param gpuVa start address, a multiple of 4
    /// @param words length in words, 1 to `GpfifoEntry`'s limit
    /// @return false if the queue is full; the GPU's progress frees entries
    boolean offer(long gpuVa, int words);

    /// Starts the GPU on the queued segments.
    void ring();

    /// Starts the GPU on the queued segments. Called in place of [#ring()] while earlier segments
    /// are incomplete: since the GPU is busy, a transport may delay the start, so that several
    /// calls cost as much as one call. The next wait ([GpuTransport#awaitNews]), and a query of
    /// [#failure()] some time later, end the delay.
    default void ringBehindWork() {
        ring();
    }

    /// Returns the first failure of the channel, which may or may not have stopped the channel;
    /// null if none. A volatile read.
    ChannelFailure failure();

    /// Ends the channel immediately, even if it is busy. A second call has no effect.
    @Override
    void close();
}
