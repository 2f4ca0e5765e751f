package io.gpuvm.softgpu.grid;

import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.Position;
import io.gpuvm.softgpu.sm.Sm;
import io.gpuvm.softgpu.sm.SmTrap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/// A launch on its way: which blocks have begun, and the multiprocessors that run them.
///
/// Blocks begin in the order of their numbers, and one that has begun comes further in every slice,
/// so that a block may wait for an earlier one. Used by the engine thread, and by the workers that
/// it has handed tasks to. Made once and used for many launches.
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

    /// @param tasks how many multiprocessors it has at the most
    /// @param kept whether it is for further launches, after this one
    Grid(int tasks, boolean kept, IntFunction<Sm> makeSm) {
        this.kept = kept;
        this.tasks = new SmTask[tasks];
        this.makeSm = makeSm;
    }

    /// Takes up a launch.
    ///
    /// @param limit how many multiprocessors may run it
    void open(Launch toRun, int limit) {
        launch = toRun;
        blocks = toRun.grid().count();
        usable = (int) Math.min(blocks, Math.min(limit, tasks.length));
        next.set(0);
        trapped.set(null);
    }

    /// Whether it is for further launches; otherwise it takes up no more memory than it must.
    boolean isKept() {
        return kept;
    }

    /// Forgets blocks that have begun.
    void abandon() {
        for (SmTask task : tasks) {
            if (task != null) {
                task.abandon();
            }
        }
        launch = null;
    }

    /// What it runs.
    public Launch launch() {
        return launch;
    }

    /// Why a block could not go on; null if none had to stop for good.
    public SmTrap trap() {
        SmTask task = trapped.get();
        return task == null ? null : task.sm().trap();
    }

    /// Which multiprocessor the block of [#trap()] was on.
    public int trappedSm() {
        return trapped.get().sm().number();
    }

    /// Where a block is that has begun and not ended, null if there is none.
    public Position position() {
        for (int i = 0; i < usable; i++) {
            if (tasks[i] != null && tasks[i].hasBlock()) {
                return tasks[i].sm().position();
            }
        }
        return null;
    }

    /// Blocks that ended since the last call.
    public long takeBlocksEnded() {
        long count = 0;
        for (int i = 0; i < usable && tasks[i] != null; i++) {
            count += tasks[i].takeBlocksEnded();
        }
        return count;
    }

    /// Instructions that warps executed since the last call.
    public long takeWarpInstructions() {
        long count = 0;
        for (int i = 0; i < usable && tasks[i] != null; i++) {
            count += tasks[i].takeWarpInstructions();
        }
        return count;
    }

    /// A slice begins.
    ///
    /// @return how many tasks have something to do
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

    /// Whether every block has ended.
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

    /// The number of a block that nobody has begun, -1 if there is none.
    long nextBlock() {
        long index = next.getAndIncrement();
        if (index < blocks) {
            return index;
        }
        next.set(blocks);
        return -1;
    }
}
