package io.gpuvm.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Channels whose command has started and not ended, in order of start; at most one per engine uses
/// the GPU. Confined to the owner's thread.
final class StartedCommands {
    /// Ratio of a running command's age to the time until its next observation, if the GPU does not
    /// signal the end of commands. The end is then observed within an eighth of the command's
    /// duration.
    private static final int LOOKS_PER_AGE = 8;

    private static final long LEAST_NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Interval between observations while all commands wait for semaphores; limits the delay in
    /// detecting that a command resumes.
    private static final long WAITING_NAP_NS = TimeUnit.MILLISECONDS.toNanos(4);

    private final List<OwnedChannel> channels = new ArrayList<>();
    private final Naps naps = new Naps(LEAST_NAP_NS, LONGEST_NAP_NS);

    void add(OwnedChannel channel) {
        channels.add(channel);
    }

    /// @return whether the channel was in this collection
    boolean remove(OwnedChannel channel) {
        return channels.remove(channel);
    }

    int size() {
        return channels.size();
    }

    boolean isEmpty() {
        return channels.isEmpty();
    }

    OwnedChannel get(int index) {
        return channels.get(index);
    }

    /// Returns the engines that commands hold: bits of [ScheduledEngine].
    ///
    /// @param except channel to ignore; null to ignore none
    int busyEngines(OwnedChannel except) {
        int busy = 0;
        for (int i = 0; i < channels.size(); i++) {
            OwnedChannel channel = channels.get(i);
            if (channel.state() == ChannelState.RUNNING && channel != except) {
                busy |= channel.needs().held();
            }
        }
        return busy;
    }

    /// Returns whether a command of a session uses the GPU or waits in it.
    boolean isAnyOf(AttachedSession session) {
        for (int i = 0; i < channels.size(); i++) {
            if (channels.get(i).session() == session) {
                return true;
            }
        }
        return false;
    }

    /// Returns a channel whose command has used the GPU for longer than the limit; null if there is
    /// none.
    OwnedChannel overdue(long limitNs, long nowNs) {
        for (int i = 0; i < channels.size(); i++) {
            OwnedChannel channel = channels.get(i);
            if (channel.state() == ChannelState.RUNNING
                    && channel.time().totalNs(nowNs) > limitNs) {
                return channel;
            }
        }
        return null;
    }

    /// Returns the longest time until the owner must observe the commands again, in nanoseconds; a
    /// signal of the GPU may end the wait earlier. The time is limited even if the GPU signals the
    /// end of commands, because the owner must also observe their use of engines.
    ///
    /// @param isTold whether the GPU signals the end of a command
    long nanosUntilLook(boolean isTold, long nowNs) {
        long youngestNs = Long.MAX_VALUE;
        for (int i = 0; i < channels.size(); i++) {
            OwnedChannel channel = channels.get(i);
            if (channel.state() == ChannelState.RUNNING) {
                youngestNs = Math.min(youngestNs, channel.time().runningNs(nowNs));
            }
        }
        if (youngestNs == Long.MAX_VALUE) {
            return WAITING_NAP_NS;
        }
        if (isTold) {
            return naps.next();
        }
        return Math.clamp(youngestNs / LOOKS_PER_AGE, LEAST_NAP_NS, LONGEST_NAP_NS);
    }
}
