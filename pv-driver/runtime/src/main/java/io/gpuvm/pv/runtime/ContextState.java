package io.gpuvm.pv.runtime;

import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.TransportException;
import java.util.Arrays;

/// State of a context: usable until it is closed or one of its channels fails. Later failures are
/// ignored. Any thread.
final class ContextState {
    private volatile GpuChannel[] channels = {};
    private volatile GpuException failure;

    /// Cause of the failure; null while there is none. Written before the failure.
    private ChannelFailure cause;

    private volatile boolean closed;

    /// Adds a channel whose failure makes the context unusable.
    synchronized void watch(GpuChannel channel) {
        GpuChannel[] more = Arrays.copyOf(channels, channels.length + 1);
        more[channels.length] = channel;
        channels = more;
    }

    /// @throws GpuException if the context is closed or has failed, with the error of its failure
    void check() {
        // Channels also fail while the context is being closed, so the state is read last.
        boolean failed = hasFailed();
        if (closed) {
            throw new GpuException(GpuError.INVALID_HANDLE, "context is closed");
        }
        if (failed) {
            throw new GpuException(failure.error(), failure.getMessage(), failure);
        }
    }

    /// Returns whether the context or one of its channels has failed.
    boolean hasFailed() {
        if (failure != null) {
            return true;
        }
        for (GpuChannel channel : channels) {
            ChannelFailure what = channel.failure();
            if (what != null) {
                fail(of(channel, what), what);
                return true;
            }
        }
        return false;
    }

    /// Records the loss of the connection to the GPU.
    ///
    /// @return exception to throw
    GpuException lost(TransportException what) {
        fail(
                new GpuException(GpuError.LOST, what.getMessage(), what),
                new ChannelFailure(ChannelFailure.Kind.LOST, what.getMessage()));
        return failure;
    }

    /// Returns the cause of the failure, or null if the context has not failed.
    ChannelFailure cause() {
        return hasFailed() ? cause : null;
    }

    boolean isClosed() {
        return closed;
    }

    /// Marks the context as closed.
    ///
    /// @return whether this is the first call
    synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    private synchronized void fail(GpuException what, ChannelFailure why) {
        if (failure == null) {
            cause = why;
            failure = what;
        }
    }

    private static GpuException of(GpuChannel channel, ChannelFailure what) {
        GpuError error =
                switch (what.what()) {
                    case MEMORY_FAULT, INSTRUCTION, METHOD -> GpuError.LAUNCH_FAILED;
                    case TIMEOUT -> GpuError.LAUNCH_TIMEOUT;
                    case LOST -> GpuError.LOST;
                };
        return new GpuException(error, "channel %d: %s".formatted(channel.id(), what.message()));
    }
}
