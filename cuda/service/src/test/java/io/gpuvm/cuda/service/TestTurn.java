package io.gpuvm.cuda.service;

/// Turn of a test: all turns have the same number of steps.
public final class TestTurn implements Turn {
    /// True if no call may be taken.
    public boolean isUsed;

    /// Number of steps of a turn.
    public int steps = 4096;

    /// Number of steps that were spent in all turns.
    public long spent;

    @Override
    public boolean isLeft() {
        return !isUsed;
    }

    @Override
    public int steps() {
        return steps;
    }

    @Override
    public void spend(int count) {
        spent += count;
    }
}
