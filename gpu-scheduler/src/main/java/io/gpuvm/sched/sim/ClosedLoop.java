package io.gpuvm.sched.sim;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Guest that submits a command, waits until it has ended, thinks, and submits the next command. At
/// most one command is outstanding. Several loops form a guest with several outstanding commands.
public final class ClosedLoop implements CommandSource {
    private final Habit habit;
    private final RandomGenerator random;
    private int inBurst;

    /// Behaviour of the guest.
    ///
    /// @param length length of a command
    /// @param think time from the end of a command until the submission of the next command
    /// @param burst number of commands before a longer pause; 0 for no pauses
    /// @param pause length of the pause, which replaces a think time
    /// @param engine engine that the guest uses
    /// @param startNs time of the first submission
    /// @param endNs time before which all commands are submitted
    public record Habit(
            Distribution length,
            Distribution think,
            int burst,
            Distribution pause,
            int engine,
            long startNs,
            long endNs) {
        /// Returns a habit without pauses or time limits, on engine 0.
        public static Habit of(Distribution length, Distribution think) {
            return new Habit(length, think, 0, Distribution.constant(0), 0, 0, NEVER);
        }

        /// Returns the same habit in bursts.
        public Habit inBursts(int commands, Distribution between) {
            return new Habit(length, think, commands, between, engine, startNs, endNs);
        }

        /// Returns the same habit for a limited time.
        public Habit between(long newStartNs, long newEndNs) {
            return new Habit(length, think, burst, pause, engine, newStartNs, newEndNs);
        }

        /// Returns the same habit on another engine.
        public Habit on(int newEngine) {
            return new Habit(length, think, burst, pause, newEngine, startNs, endNs);
        }
    }

    /// @param seed seed of all random draws
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
