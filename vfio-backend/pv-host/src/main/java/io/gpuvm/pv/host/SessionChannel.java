package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.ChannelFailure;

/// Channel of a session. Opening and closing take until the GPU's owner has answered; meanwhile,
/// the session continues. Confined to the poller's thread.
public final class SessionChannel {
    private static final int NOTHING = -1;

    private final SessionSpace space;
    private final SessionChannels channels;
    private final int id;

    /// Channel of the guest; null after the end.
    private GuestChannel channel;

    /// Put index that is submitted when the channel is open.
    private int pendingPut = NOTHING;

    private boolean closing;
    private Runnable onEnded;
    private ChannelFailure failure;

    SessionChannel(SessionSpace space, SessionChannels channels, GuestChannel channel) {
        this.space = space;
        this.channels = channels;
        this.channel = channel;
        id = channel.id();
    }

    /// Returns the number of the channel in the virtual machine, for messages.
    public int id() {
        return id;
    }

    /// Returns whether the GPU may run the channel.
    boolean isOpen() {
        return channel != null && channel.state() == GuestChannel.State.OPEN;
    }

    /// Returns the index of the next entry of the ring that the GPU reads.
    public int get() {
        return channel == null ? 0 : channel.userd().ibGet();
    }

    /// Submits the entries of the ring before an index. The GPU starts at the end of the turn, or
    /// when the channel is open.
    ///
    /// @param put index of the first entry that the GPU must not read
    public void submit(int put) {
        if (closing || channels.isStopped()) {
            return;
        }
        if (channel.state() == GuestChannel.State.OPENING) {
            pendingPut = put;
        } else {
            channels.submit(channel, put);
        }
    }

    /// Returns the first failure of the channel; null if there is none.
    public ChannelFailure failure() {
        if (failure == null && channel != null) {
            failure = channel.failure();
        }
        return failure;
    }

    /// Ends the channel, even if it is busy. A second call has no effect.
    ///
    /// @param whenEnded called when the GPU no longer uses the channel and its ring, unless the
    ///   session ends before
    public void close(Runnable whenEnded) {
        if (closing) {
            return;
        }
        failure();
        closing = true;
        onEnded = whenEnded;
        if (!channels.isStopped() && channel.state() == GuestChannel.State.OPEN) {
            channels.destroy(channel);
        }
    }

    /// Called when the GPU may run the channel.
    void opened() {
        if (closing) {
            channels.destroy(channel);
        } else if (pendingPut != NOTHING) {
            channels.submit(channel, pendingPut);
        }
    }

    /// Called when the channel has been removed from the GPU.
    void ended() {
        channel = null;
        onEnded.run();
        space.onEnded(this);
    }
}
