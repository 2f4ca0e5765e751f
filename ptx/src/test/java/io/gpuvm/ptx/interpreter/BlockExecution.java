package io.gpuvm.ptx.interpreter;

import java.util.ArrayList;
import java.util.List;

/// Execution of one block: its warps in turn, and its barriers.
final class BlockExecution {
    private static final int BARRIERS = 16;

    /// Number of instructions of a warp before the next warp's turn.
    private static final int TURN = 50;

    final PtxMachine.Launch launch;
    final int x;
    final int y;
    final int z;
    final byte[] shared;
    private final List<WarpExecution> warps = new ArrayList<>();
    private final Barrier[] barriers = new Barrier[BARRIERS];

    /// State of a barrier.
    private static final class Barrier {
        int arrived;
        int count;
        int all = ~0;
        int any;
        final List<WarpExecution> waiting = new ArrayList<>();
    }

    BlockExecution(PtxMachine.Launch launch, int x, int y, int z) {
        this.launch = launch;
        this.x = x;
        this.y = y;
        this.z = z;
        shared = new byte[launch.sharedBytes()];
        int threads = launch.block().count();
        for (int first = 0; first < threads; first += WarpExecution.LANES) {
            warps.add(
                    new WarpExecution(this, first, Math.min(WarpExecution.LANES, threads - first)));
        }
    }

    void run() {
        boolean running = true;
        while (running) {
            running = false;
            boolean progress = false;
            for (WarpExecution warp : warps) {
                for (int i = 0; i < TURN && warp.isReady(); i++) {
                    warp.step();
                    progress = true;
                }
                running |= !warp.isFinished();
            }
            completeBarriers();
            if (running && !progress && warps.stream().noneMatch(WarpExecution::isReady)) {
                throw new MachineFault("all warps wait at barriers");
            }
        }
    }

    /// Records the arrival of a warp.
    ///
    /// @param threads number of threads that the barrier waits for, or 0 for all
    /// @param waits whether the warp waits
    /// @param truths lanes with a true predicate, of `active` lanes
    void arrive(
            WarpExecution warp, int number, int threads, boolean waits, int active, int truths) {
        Barrier barrier = barriers[number];
        if (barrier == null) {
            barrier = new Barrier();
            barriers[number] = barrier;
        }
        barrier.arrived += WarpExecution.LANES;
        barrier.count += Integer.bitCount(truths);
        barrier.any |= truths;
        barrier.all &= truths | ~active;
        if (waits) {
            barrier.waiting.add(warp);
        }
        warp.expectedThreads = threads;
        complete(number, threads);
    }

    private void completeBarriers() {
        for (int i = 0; i < BARRIERS; i++) {
            if (barriers[i] != null && !barriers[i].waiting.isEmpty()) {
                complete(i, barriers[i].waiting.getFirst().expectedThreads);
            }
        }
    }

    private void complete(int number, int threads) {
        Barrier barrier = barriers[number];
        long live = warps.stream().filter(warp -> !warp.isFinished()).count();
        long wanted = threads == 0 ? live * WarpExecution.LANES : threads;
        if (barrier.arrived >= wanted) {
            barriers[number] = null;
            for (WarpExecution warp : barrier.waiting) {
                warp.resume(barrier.count, barrier.all == ~0, barrier.any != 0);
            }
        }
    }
}
