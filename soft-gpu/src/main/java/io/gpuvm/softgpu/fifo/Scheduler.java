package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.TimeUnit;

/// Round-robin scheduler: cycles through the runlist and runs one slice of each channel that can
/// continue.
///
/// A channel that waits for a semaphore polls the semaphore in its turn, and blocks no other
/// channel; if no other channel has work, the polling interval grows from [#FIRST_POLL_NS] to
/// [#LAST_POLL_NS]. Accessed only by the holder of the [Baton].
final class Scheduler {
    private static final long FIRST_POLL_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LAST_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Channel[] channels;
    private final ChannelRunner runner;
    private final EngineUse engineUse;
    private final WorkSignal signal;
    private final ChannelTimes times;
    private final Channel[] runlist = new Channel[Pfifo.CHANNELS];
    private int listed;
    private int turn;
    private long pollNs = FIRST_POLL_NS;
    private boolean acquiring;
    private boolean cutShort;
    private boolean rested;
    private Channel running;

    Scheduler(
            Channel[] channels,
            ChannelRunner runner,
            EngineUse engineUse,
            WorkSignal signal,
            ChannelTimes times) {
        this.channels = channels;
        this.runner = runner;
        this.engineUse = engineUse;
        this.signal = signal;
        this.times = times;
    }

    /// Starts a new, empty runlist.
    void clearRunlist() {
        for (int i = 0; i < listed; i++) {
            runlist[i].listed(false);
            runlist[i] = null;
        }
        listed = 0;
        turn = 0;
    }

    /// Adds a channel to the runlist; a channel that is already listed keeps its position.
    void list(Channel channel) {
        if (!channel.isListed()) {
            channel.listed(true);
            runlist[listed++] = channel;
        }
    }

    /// Runs one slice of the next channel that can continue.
    ///
    /// @return number of steps of progress, 0 if no channel can continue
    int runSlice() {
        takeKicks();
        acquiring = false;
        cutShort = false;
        rested = false;
        for (int i = 0; i < listed; i++) {
            Channel channel = runlist[turn];
            turn = turn + 1 == listed ? 0 : turn + 1;
            int steps = canGoOn(channel) ? run(channel) : 0;
            acquiring |= channel.state() == RunState.ACQUIRING;
            cutShort |= channel.state() == RunState.READY && canGoOn(channel);
            if (steps > 0) {
                rested = channel.state() != RunState.READY;
                pollNs = FIRST_POLL_NS;
                return steps;
            }
        }
        pollNs = Math.min(2 * pollNs, LAST_POLL_NS);
        return 0;
    }

    /// Returns whether the last [#runSlice()] ended because its channel has no more work, or waits.
    boolean hasRested() {
        return rested;
    }

    /// Returns the time in nanoseconds during which only a kick can cause progress, after
    /// [#runSlice()] has returned 0. The time is 0 if the slice ended before its first step.
    long nanosUntilWork() {
        if (cutShort) {
            return 0;
        }
        return acquiring ? pollNs : Long.MAX_VALUE;
    }

    /// Kills the channel that ran last.
    void killRunning() {
        if (running != null && running.isScheduled()) {
            engineUse.kill(running);
        }
    }

    private void takeKicks() {
        signal.takeNudge();
        for (int word = 0; word < WorkSignal.WORDS; word++) {
            long bits = signal.take(word);
            while (bits != 0) {
                channels[word * Long.SIZE + Long.numberOfTrailingZeros(bits)].kick();
                bits &= bits - 1;
            }
        }
    }

    private int run(Channel channel) {
        running = channel;
        times.begin(channel.id());
        int steps = runner.run(channel);
        if (steps > 0) {
            times.end(channel.id(), channel.engine(), channel.state() == RunState.READY);
        }
        return steps;
    }

    private boolean canGoOn(Channel channel) {
        boolean ready =
                switch (channel.state()) {
                    case READY, ACQUIRING -> true;
                    case HELD -> channel.hold().isReleased();
                    case IDLE, DEAD -> false;
                };
        return ready && channel.isScheduled() && !engineUse.isBlocked(channel);
    }
}
