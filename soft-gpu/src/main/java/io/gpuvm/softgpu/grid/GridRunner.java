package io.gpuvm.softgpu.grid;

import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.Safepoint;
import io.gpuvm.softgpu.sm.Sm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/// Runs grids, one slice at a time. The engine thread runs one multiprocessor, and workers run the
/// other multiprocessors; all stop at safepoints before [#run] returns. Workers therefore access
/// memory only while the engine thread is in [#run], and holding the engine thread also holds all
/// workers.
///
/// The engine thread takes over the task of a worker that does not start in time, so it never waits
/// for a thread to start. Worker threads start with the first launch that needs them. All methods
/// except [#close()] are for the holder of the engines only.
public final class GridRunner implements AutoCloseable {
    /// Progress of a grid after a slice.
    public enum Progress {
        /// Grid whose blocks have all ended.
        DONE,
        /// Grid with unfinished blocks.
        UNFINISHED,
        /// Grid that failed, for the reason in [Grid#trap()].
        TRAPPED
    }

    /// Maximum number of unfinished launches with as many concurrent blocks as threads; launches
    /// beyond this number run one block at a time. The limit bounds memory: an unfinished launch
    /// retains the registers and shared memory of its blocks.
    static final int MAX_WIDE_GRIDS = 4;

    /// Binary logarithm of the engine thread's waiting time, in nanoseconds, that counts as one
    /// warp instruction.
    private static final int WAIT_SHIFT = 7;

    private static final int SPINS = 500;
    private static final long PARK_NS = 20_000;

    private final int threads;
    private final IntFunction<Sm> makeSm;
    private final List<Worker> workers = new ArrayList<>();
    private final Deque<Grid> idle = new ArrayDeque<>(MAX_WIDE_GRIDS);
    private int made;
    private boolean closed;

    /// @param threads number of threads that run blocks concurrently, including the engine thread
    /// @param makeSm creates a multiprocessor, by number
    public GridRunner(int threads, IntFunction<Sm> makeSm) {
        this.threads = threads;
        this.makeSm = makeSm;
    }

    /// Prepares a launch.
    ///
    /// @param limit maximum number of multiprocessors that run the launch, at least 1
    public Grid open(Launch launch, int limit) {
        Grid grid = idle.poll();
        if (grid == null) {
            boolean wide = made < MAX_WIDE_GRIDS;
            made += wide ? 1 : 0;
            grid = new Grid(wide ? threads : 1, wide, makeSm);
        }
        grid.open(launch, limit);
        return grid;
    }

    /// Releases a grid, finished or not.
    public void close(Grid grid) {
        grid.abandon();
        if (grid.isKept()) {
            idle.push(grid);
        }
    }

    /// Runs a grid for a slice.
    ///
    /// @param pace returns whether the slice has ended; called often, on the calling thread
    public Progress run(Grid grid, Safepoint pace) {
        int tasks = grid.begin();
        for (int i = 1; i < tasks; i++) {
            grid.task(i).offer();
            worker(i).offer(grid.task(i));
        }
        grid.task(0).offer();
        grid.task(0).runIfOffered(pace);
        helpOut(grid, tasks, pace);
        grid.stop();
        for (int i = 1; i < tasks; i++) {
            collect(grid.task(i));
        }
        for (int i = 0; i < tasks; i++) {
            grid.task(i).settle();
        }
        if (!grid.isKept()) {
            grid.task(0).sm().rest();
        }
        if (grid.trap() != null) {
            return Progress.TRAPPED;
        }
        return grid.isDone() ? Progress.DONE : Progress.UNFINISHED;
    }

    /// Ends the workers. No grid may be run after this call.
    @Override
    public void close() {
        closed = true;
        workers.forEach(Worker::close);
        workers.clear();
    }

    /// Runs the tasks that no worker has started, unless the slice has ended. Then waits until no
    /// worker runs a task, or the slice ends.
    private static void helpOut(Grid grid, int tasks, Safepoint pace) {
        for (int i = 1; i < tasks; i++) {
            SmTask task = grid.task(i);
            if (!grid.isStopping()) {
                task.runIfOffered(pace);
            }
        }
        long lastNs = System.nanoTime();
        for (int turn = 0; !grid.isStopping() && anyoneRuns(grid, tasks); turn++) {
            pause(turn);
            long nowNs = System.nanoTime();
            if (pace.stop((int) Math.min(Integer.MAX_VALUE, nowNs - lastNs >>> WAIT_SHIFT))) {
                grid.stop();
            }
            lastNs = nowNs;
        }
    }

    private static boolean anyoneRuns(Grid grid, int tasks) {
        for (int i = 1; i < tasks; i++) {
            if (grid.task(i).isTaken()) {
                return true;
            }
        }
        return false;
    }

    /// Waits until a task has stopped at a safepoint. Runs a task that no worker has started, so
    /// that its block progresses.
    private static void collect(SmTask task) {
        task.runIfOffered(null);
        for (int turn = 0; !task.isDone(); turn++) {
            pause(turn);
        }
    }

    private static void pause(int turn) {
        if (turn < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private Worker worker(int task) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        while (workers.size() < task) {
            workers.add(new Worker(workers.size() + 1));
        }
        return workers.get(task - 1);
    }
}
