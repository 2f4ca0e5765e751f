package io.gpuvm.softgpu.grid;

import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.Position;
import io.gpuvm.softgpu.sm.Sm;
import io.gpuvm.softgpu.sm.SmTrap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/// Launch in progress: its started blocks, and the multiprocessors that run them.
///
/// Blocks start in the order of their numbers, and each started block progresses in every slice, so
/// a block may wait for an earlier block. Used by the engine thread, and by the workers to which
/// the engine thread has offered tasks. Reused for many launches.
public final class Grid {
    private final IntFunction<Sm> makeSm;
    private final boolean kept;
    private final SmTask[] tasks;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<SmTask> trapped = new AtomicReference<>();
    private Launch launch;
    private long blocks;
    private int usable;
    private volatile boolean stopping;

    /// @param tasks maximum number of multiprocessors
    /// @param kept whether the grid is kept for later launches
    Grid(int tasks, boolean kept, IntFunction<Sm> makeSm) {
        this.kept = kept;
        this.tasks = new SmTask[tasks];
        this.makeSm = makeSm;
    }

    /// Begins a launch.
    ///
    /// @param limit maximum number of multiprocessors that run the launch
    void open(Launch toRun, int limit) {
        launch = toRun;
        blocks = toRun.grid().count();
        usable = (int) Math.min(blocks, Math.min(limit, tasks.length));
        next.set(0);
        trapped.set(null);
    }

    /// Returns whether the grid is kept for later launches; other grids use as little memory as
    /// possible.
    boolean isKept() {
        return kept;
    }

    /// Discards all started blocks.
    void abandon() {
        for (SmTask task : tasks) {
            if (task != null) {
                task.abandon();
            }
        }
        launch = null;
    }

    /// Returns the launch.
    public Launch launch() {
        return launch;
    }

    /// Returns the trap of the block that failed; null if no block failed.
    public SmTrap trap() {
        SmTask task = trapped.get();
        return task == null ? null : task.sm().trap();
    }

    /// Returns the number of the multiprocessor that ran the block of [#trap()].
    public int trappedSm() {
        return trapped.get().sm().number();
    }

    /// Returns the position of an unfinished block; null if there is none.
    public Position position() {
        for (int i = 0; i < usable; i++) {
            if (tasks[i] != null && tasks[i].hasBlock()) {
                return tasks[i].sm().position();
            }
        }
        return null;
    }

    /// Returns the number of blocks that ended since the last call.
    public long takeBlocksEnded() {
        long count = 0;
        for (int i = 0; i < usable && tasks[i] != null; i++) {
            count += tasks[i].takeBlocksEnded();
        }
        return count;
    }

    /// Returns the number of instructions that warps executed since the last call.
    public long takeWarpInstructions() {
        long count = 0;
        for (int i = 0; i < usable && tasks[i] != null; i++) {
            count += tasks[i].takeWarpInstructions();
        }
        return count;
    }

    /// Begins a slice.
    ///
    /// @return index after the last task with work
    int begin() {
        stopping = false;
        int busy = 0;
        long fresh = blocks - Math.min(blocks, next.get());
        for (int i = 0; i < usable; i++) {
            if (tasks[i] == null) {
                tasks[i] = new SmTask(this, makeSm.apply(i));
            }
            tasks[i].refresh();
            if (tasks[i].hasBlock() || fresh-- > 0) {
                busy = i + 1;
            }
        }
        return busy;
    }

    SmTask task(int index) {
        return tasks[index];
    }

    /// Returns whether every block has ended.
    boolean isDone() {
        return next.get() >= blocks && !hasBlock();
    }

    private boolean hasBlock() {
        for (int i = 0; i < usable; i++) {
            if (tasks[i].hasBlock()) {
                return true;
            }
        }
        return false;
    }

    void trapped(SmTask task) {
        trapped.compareAndSet(null, task);
        stop();
    }

    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /// Returns the number of the next block to start; -1 if all have started.
    long nextBlock() {
        long index = next.getAndIncrement();
        if (index < blocks) {
            return index;
        }
        next.set(blocks);
        return -1;
    }
}
