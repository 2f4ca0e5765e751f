package io.gpuvm.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Channels whose command has started and not ended, in the order in which they started; at most
/// one for each engine uses the GPU. Confined to the owner's thread.
final class StartedCommands {
    /// Part of its age for which a command that runs is left alone where the GPU does not tell that
    /// it has ended: its end is seen within an eighth of what it took.
    private static final int LOOKS_PER_AGE = 8;

    private static final long LEAST_NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Time for which commands that wait for semaphores are left alone: what goes on meanwhile is
    /// seen so much later.
    private static final long WAITING_NAP_NS = TimeUnit.MILLISECONDS.toNanos(4);

    private final List<OwnedChannel> channels = new ArrayList<>();
    private final Naps naps = new Naps(LEAST_NAP_NS, LONGEST_NAP_NS);

    void add(OwnedChannel channel) {
        channels.add(channel);
    }

    /// @return whether it was among them
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

    /// Engines that commands have for themselves: bits of [ScheduledEngine].
    ///
    /// @param except one that does not count; null for none
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

    /// Whether a command of a virtual machine uses the GPU or waits in it.
    boolean isAnyOf(AttachedVm vm) {
        for (int i = 0; i < channels.size(); i++) {
            if (channels.get(i).vm() == vm) {
                return true;
            }
        }
        return false;
    }

    /// Returns one that has used the GPU for longer than allowed; null if there is none.
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

    /// Nanoseconds until they are to be looked at, if the GPU says nothing before. Also where it
    /// tells when commands end, somebody has to see what engines they use meanwhile.
    ///
    /// @param isTold whether the GPU tells when a command has ended
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
