package io.gpuvm.softgpu.grid;

import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.Safepoint;
import io.gpuvm.softgpu.sm.Sm;
import java.util.concurrent.atomic.AtomicInteger;

/// One multiprocessor of a grid, and the block that it has started.
///
/// The thread that changes the state from [#OFFERED] to [#TAKEN] runs the task, and then sets the
/// state to [#DONE]. Accesses to the state order all other accesses to the task.
final class SmTask implements Safepoint {
    /// State of a task that the engine thread holds.
    static final int FREE = 0;

    /// State of a task that is available to a worker.
    static final int OFFERED = 1;

    /// State of a task that a thread runs.
    static final int TAKEN = 2;

    /// State of a task after its run; the engine thread holds the task again once that thread has
    /// read this state.
    static final int DONE = 3;

    private final Grid grid;
    private final Sm sm;
    private final AtomicInteger state = new AtomicInteger(FREE);

    /// Safepoint that is queried before the grid's stop flag; null if another task queries the
    /// safepoint.
    private Safepoint pace;

    private Launch loaded;
    private boolean hasBlock;
    private long blocksEnded;
    private long warpInstructions;
    private Throwable failure;

    SmTask(Grid grid, Sm sm) {
        this.grid = grid;
        this.sm = sm;
    }

    Sm sm() {
        return sm;
    }

    /// Returns whether a started block is unfinished.
    boolean hasBlock() {
        return hasBlock;
    }

    /// Begins the next slice. Engine thread only.
    void refresh() {
        if (loaded != null) {
            sm.refresh();
        }
    }

    /// Offers the task to a worker. Engine thread only.
    void offer() {
        state.set(OFFERED);
    }

    /// Returns whether a worker runs the task. Engine thread only.
    boolean isTaken() {
        return state.get() == TAKEN;
    }

    /// Returns whether a thread has run the task. Engine thread only.
    boolean isDone() {
        return state.get() == DONE;
    }

    /// Reclaims a completed task. Engine thread only.
    ///
    /// @throws IllegalStateException if the task failed
    /// @throws InternalError if host memory was truncated
    void settle() {
        state.set(FREE);
        Throwable what = failure;
        failure = null;
        if (what instanceof InternalError cutOff) {
            throw cutOff;
        }
        if (what != null) {
            throw new IllegalStateException(
                    "multiprocessor %d failed".formatted(sm.number()), what);
        }
    }

    /// Runs blocks, if the task is still offered, until no block is left to start or the grid
    /// stops. A block that has started earlier progresses even if the grid is stopping. A failure
    /// is recorded for [#settle()].
    ///
    /// @param asked returns whether the grid must stop; null if another task checks that
    void runIfOffered(Safepoint asked) {
        if (!state.compareAndSet(OFFERED, TAKEN)) {
            return;
        }
        try {
            pace = asked;
            run();
        } catch (RuntimeException | Error e) {
            failure = e;
            grid.stop();
        } finally {
            state.set(DONE);
        }
    }

    private void run() {
        while (hasBlock || begin()) {
            switch (sm.run(this)) {
                case BLOCK_DONE -> {
                    hasBlock = false;
                    blocksEnded++;
                }
                case STOPPED -> {
                    return;
                }
                case TRAPPED -> {
                    hasBlock = false;
                    grid.trapped(this);
                    return;
                }
            }
        }
    }

    @Override
    public boolean stop(int instructions) {
        warpInstructions += instructions;
        if (pace != null && pace.stop(instructions)) {
            grid.stop();
        }
        return grid.isStopping();
    }

    /// Returns the number of blocks that ended since the last call.
    long takeBlocksEnded() {
        long count = blocksEnded;
        blocksEnded = 0;
        return count;
    }

    /// Returns the number of instructions that warps executed since the last call.
    long takeWarpInstructions() {
        long count = warpInstructions;
        warpInstructions = 0;
        return count;
    }

    /// Discards the block.
    void abandon() {
        failure = null;
        sm.abandon();
        hasBlock = false;
        loaded = null;
    }

    private boolean begin() {
        if (grid.isStopping()) {
            return false;
        }
        long index = grid.nextBlock();
        if (index < 0) {
            return false;
        }
        if (loaded != grid.launch()) {
            loaded = grid.launch();
            sm.load(loaded);
        }
        sm.begin(index);
        hasBlock = true;
        // The block itself continues to its first safepoint: it must progress in every slice.
        if (pace != null && pace.stop(sm.startCost())) {
            grid.stop();
        }
        return true;
    }
}
