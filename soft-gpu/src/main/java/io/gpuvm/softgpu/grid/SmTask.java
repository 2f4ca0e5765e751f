package io.gpuvm.softgpu.grid;

import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.Safepoint;
import io.gpuvm.softgpu.sm.Sm;
import java.util.concurrent.atomic.AtomicInteger;

/// One multiprocessor of a grid, and the block that it has begun.
///
/// Whoever gets it from [#OFFERED] to [#TAKEN] runs it, and gives it back as [#DONE]; the changes
/// of this state order all others.
final class SmTask implements Safepoint {
    /// The engine thread's.
    static final int FREE = 0;

    /// A worker may take it.
    static final int OFFERED = 1;

    /// Somebody runs it.
    static final int TAKEN = 2;

    /// The engine thread's again, once that has looked.
    static final int DONE = 3;

    private final Grid grid;
    private final Sm sm;
    private final AtomicInteger state = new AtomicInteger(FREE);

    /// Asked before the grid's stop flag; null if that is for another task to do.
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

    /// Whether a block has begun and not ended.
    boolean hasBlock() {
        return hasBlock;
    }

    /// Engine thread: another slice begins.
    void refresh() {
        if (loaded != null) {
            sm.refresh();
        }
    }

    /// Engine thread: lets a worker have it.
    void offer() {
        state.set(OFFERED);
    }

    /// Engine thread: whether a worker runs it.
    boolean isTaken() {
        return state.get() == TAKEN;
    }

    /// Engine thread: whether the worker that took it has given it back.
    boolean isDone() {
        return state.get() == DONE;
    }

    /// Engine thread: has it back, done.
    ///
    /// @throws IllegalStateException if running it failed
    /// @throws InternalError if memory was cut off
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

    /// Runs blocks, if it is still on offer, until none is left to begin or everybody is to stop. A
    /// block that has begun comes further in any case. What fails is kept for [#settle()].
    ///
    /// @param asked says when everybody is to stop; null to leave that to others
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

    /// Blocks that ended since the last call.
    long takeBlocksEnded() {
        long count = blocksEnded;
        blocksEnded = 0;
        return count;
    }

    /// Instructions that warps executed since the last call.
    long takeWarpInstructions() {
        long count = warpInstructions;
        warpInstructions = 0;
        return count;
    }

    /// Forgets its block.
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
        // The block itself goes on until it is asked: it has to come further in every slice.
        if (pace != null && pace.stop(sm.startCost())) {
            grid.stop();
        }
        return true;
    }
}
