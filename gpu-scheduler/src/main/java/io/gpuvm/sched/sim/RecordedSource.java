package io.gpuvm.sched.sim;

/// Recorded commands: each is submitted either after its recorded gap from the end of the previous
/// command ([#closedLoop]), or at its recorded time ([#openLoop]).
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
                    "engines=%d, lengths=%d, times=%d, expected equal numbers"
                            .formatted(engines.length, lengthsNs.length, timesNs.length));
        }
        this.engines = engines.clone();
        this.lengthsNs = lengthsNs.clone();
        this.gapsNs = gapsNs;
        this.timesNs = timesNs.clone();
        this.repeats = repeats;
    }

    /// Returns a guest that reacts as in the recording.
    ///
    /// @param lengthsNs GPU time of each command
    /// @param gapsNs time from the end of the previous command to the submission of each command;
    ///   the first gap counts from the start of the simulation
    /// @param repeats whether the first command follows the last; otherwise a guest that gets more
    ///   GPU time than in the recording runs out of commands
    public static RecordedSource closedLoop(
            int[] engines, long[] lengthsNs, long[] gapsNs, boolean repeats) {
        return new RecordedSource(engines, lengthsNs, gapsNs.clone(), gapsNs, repeats);
    }

    /// Returns a guest that submits at the recorded times, independently of completions.
    ///
    /// @param timesNs submission time of each command, in order, from the start of the simulation
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
            // The gap before the first command counts from the start; that before the second is a
            // real gap.
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
