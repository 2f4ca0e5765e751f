package io.gpuvm.sched.sim;

/// Commands that were recorded: the next one comes as long after the end of the one before as it
/// did then ([#closedLoop]), or at the time at which it came ([#openLoop]).
public final class RecordedSource implements CommandSource {
    private final int[] engines;
    private final long[] lengthsNs;
    private final long[] gapsNs;
    private final long[] timesNs;
    private final boolean repeats;
    private int index;

    private RecordedSource(
            int[] engines, long[] lengthsNs, long[] gapsNs, long[] timesNs, boolean repeats) {
        if (engines.length != lengthsNs.length || lengthsNs.length != timesNs.length) {
            throw new IllegalArgumentException(
                    "engines=%d, lengths=%d, times=%d"
                            .formatted(engines.length, lengthsNs.length, timesNs.length));
        }
        this.engines = engines.clone();
        this.lengthsNs = lengthsNs.clone();
        this.gapsNs = gapsNs;
        this.timesNs = timesNs.clone();
        this.repeats = repeats;
    }

    /// A guest that reacts as it did.
    ///
    /// @param lengthsNs GPU time of each command
    /// @param gapsNs from the end of the command before until each was submitted, that of the first
    ///   from when the simulation begins
    /// @param repeats whether the first comes again after the last: a guest that gets more of the
    ///   GPU than it got then runs out of recorded commands
    public static RecordedSource closedLoop(
            int[] engines, long[] lengthsNs, long[] gapsNs, boolean repeats) {
        return new RecordedSource(engines, lengthsNs, gapsNs.clone(), gapsNs, repeats);
    }

    /// A guest that submits when it did, whatever becomes of its commands.
    ///
    /// @param timesNs when each was submitted, in order, from when the simulation begins
    public static RecordedSource openLoop(int[] engines, long[] lengthsNs, long[] timesNs) {
        return new RecordedSource(engines, lengthsNs, null, timesNs, false);
    }

    @Override
    public long first(long nowNs) {
        return isOver() ? NEVER : Math.max(nowNs, timesNs[0]);
    }

    @Override
    public long lengthNs() {
        return lengthsNs[index];
    }

    @Override
    public int engine() {
        return engines[index];
    }

    @Override
    public long onSubmitted(long nowNs) {
        index++;
        return gapsNs == null ? next(nowNs) : NEVER;
    }

    @Override
    public long onCompleted(long nowNs) {
        if (gapsNs == null) {
            return next(nowNs);
        }
        if (isOver() && repeats) {
            index = 0;
            // The gap before the first is from the beginning: that before the second is a guest's.
            return nowNs + gapsNs[Math.min(1, gapsNs.length - 1)];
        }
        return isOver() ? NEVER : nowNs + gapsNs[index];
    }

    private long next(long nowNs) {
        return isOver() ? NEVER : Math.max(nowNs, timesNs[index]);
    }

    private boolean isOver() {
        return index == engines.length;
    }
}
