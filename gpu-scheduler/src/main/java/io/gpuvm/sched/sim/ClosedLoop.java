package io.gpuvm.sched.sim;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A guest that submits a command, waits until it has ended, thinks, and submits the next: one is
/// outstanding at most. Several of them are a guest with several outstanding.
public final class ClosedLoop implements CommandSource {
    private final Habit habit;
    private final RandomGenerator random;
    private int inBurst;

    /// What the guest does.
    ///
    /// @param length of a command
    /// @param think from the end of a command until the next one is submitted
    /// @param burst commands after which it makes a longer pause; 0 if it makes none
    /// @param pause how long that is, instead of a think time
    /// @param engine that it uses
    /// @param startNs when it begins
    /// @param endNs when it submits nothing any more
    public record Habit(
            Distribution length,
            Distribution think,
            int burst,
            Distribution pause,
            int engine,
            long startNs,
            long endNs) {
        /// Commands and think times, for ever, on engine 0.
        public static Habit of(Distribution length, Distribution think) {
            return new Habit(length, think, 0, Distribution.constant(0), 0, 0, NEVER);
        }

        /// The same in bursts.
        public Habit inBursts(int commands, Distribution between) {
            return new Habit(length, think, commands, between, engine, startNs, endNs);
        }

        /// The same for some time only.
        public Habit between(long newStartNs, long newEndNs) {
            return new Habit(length, think, burst, pause, engine, newStartNs, newEndNs);
        }

        /// The same on another engine.
        public Habit on(int newEngine) {
            return new Habit(length, think, burst, pause, newEngine, startNs, endNs);
        }
    }

    /// @param seed of all that is a matter of chance
    public ClosedLoop(Habit habit, long seed) {
        this.habit = habit;
        random = new SplittableRandom(seed);
    }

    @Override
    public long first(long nowNs) {
        return untilEnd(Math.max(nowNs, habit.startNs));
    }

    @Override
    public long lengthNs() {
        return habit.length.drawNs(random);
    }

    @Override
    public int engine() {
        return habit.engine;
    }

    @Override
    public long onSubmitted(long nowNs) {
        inBurst++;
        return NEVER;
    }

    @Override
    public long onCompleted(long nowNs) {
        boolean pauses = habit.burst > 0 && inBurst >= habit.burst;
        if (pauses) {
            inBurst = 0;
        }
        return untilEnd(nowNs + (pauses ? habit.pause : habit.think).drawNs(random));
    }

    private long untilEnd(long timeNs) {
        return timeNs < habit.endNs ? timeNs : NEVER;
    }
}
