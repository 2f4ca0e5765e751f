package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandStatus;
import java.lang.foreign.MemorySegment;

/// Channels of a session by their numbers, with their slots, which the client does not see. Passes
/// the answers of the GPU's owner to the channels. Confined to the poller.
final class SessionChannels implements ChannelListener {
    private final SessionChannel[] byNumber;
    private final MemorySegment slots;

    /// Number of channels that have begun to end.
    private int ending;

    /// True once the poller has stopped serving the session.
    private boolean stopped;

    private GuestResources resources;

    /// @param most maximum number of the session's channels
    SessionChannels(int most) {
        byNumber = new SessionChannel[most];
        slots = MemorySegment.ofArray(new long[most * (ChannelSlot.BYTES / Long.BYTES)]);
    }

    /// Returns the slot of a channel.
    ChannelSlot slot(int number) {
        return new ChannelSlot().wrap(slots, (long) number * ChannelSlot.BYTES);
    }

    /// Sets the session's resources, which contain this listener.
    void use(GuestResources all) {
        resources = all;
    }

    /// Makes all later calls have no effect on the GPU.
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /// Returns whether channels are ending.
    boolean areEnding() {
        return ending > 0;
    }

    void add(GuestChannel channel, SessionChannel added) {
        byNumber[channel.number()] = added;
    }

    void submit(GuestChannel channel, int put) {
        CommandStatus status = resources.submissions().submit(channel.number(), put);
        // The channel reports its failure itself.
        if (status != CommandStatus.OK && status != CommandStatus.CHANNEL_DEAD) {
            throw new IllegalStateException(
                    "channel %d, put=%d: %s".formatted(channel.id(), put, status));
        }
    }

    void destroy(GuestChannel channel) {
        ending++;
        CommandStatus status = resources.channels().destroy(channel.number());
        if (status != CommandStatus.OK) {
            throw new IllegalStateException("channel %d: %s".formatted(channel.id(), status));
        }
    }

    @Override
    public void onBegun() {
        // The session continues meanwhile.
    }

    @Override
    public void onOpened(GuestChannel channel) {
        byNumber[channel.number()].opened();
    }

    @Override
    public void onEnded(GuestChannel channel) {
        ending--;
        SessionChannel ended = byNumber[channel.number()];
        byNumber[channel.number()] = null;
        ended.ended();
    }
}
