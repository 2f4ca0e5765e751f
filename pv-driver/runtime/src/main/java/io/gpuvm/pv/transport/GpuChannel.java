package io.gpuvm.pv.transport;

import io.gpuvm.pv.protocol.ChannelFailure;

/// A channel: pieces of push buffers go in, and the GPU works them off in order. One thread at a
/// time uses it.
public interface GpuChannel extends AutoCloseable {
    /// Number of the channel, for messages.
    int id();

    /// Queues a piece of a push buffer. The GPU need not see it before [#ring()].
    ///
    /// @param gpuVa where it starts, a multiple of 4
    /// @param words its length, 1 to `GpfifoEntry`'s limit
    /// @return false if the queue is full, which the GPU's progress changes
    boolean offer(long gpuVa, int words);

    /// Has the GPU work off what was offered.
    void ring();

    /// Why this channel does nothing more, or what went wrong on it; null while all is well. The
    /// first failure stays. A volatile read.
    ChannelFailure failure();

    /// Ends the channel at once, whatever it is doing. A second call does nothing.
    @Override
    void close();
}
