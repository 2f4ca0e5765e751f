package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;

/// Running block of threads: its warps and their shared state. Reused for successive blocks.
/// Confined to the thread that runs the block.
final class Block {
    /// Maximum number of threads in a block.
    static final int MOST_THREADS = 1024;

    private final Warp[] all = new Warp[MOST_THREADS / Rows.LANES];
    private int count;
    private int alive;

    /// Starts a block's warps.
    void begin(Launch launch) {
        int threads = (int) launch.block().count();
        count = (threads + Rows.LANES - 1) / Rows.LANES;
        alive = count;
        for (int w = 0; w < count; w++) {
            if (all[w] == null) {
                all[w] = new Warp(w);
            }
            all[w].start(launch.code().entryOffset(), threads - w * Rows.LANES, launch.storage());
        }
    }

    /// Returns the number of warps.
    int warps() {
        return count;
    }

    Warp warp(int number) {
        return all[number];
    }

    /// Returns the number of warps that have not exited.
    int aliveWarps() {
        return alive;
    }

    /// Records the exit of a warp.
    void onExit() {
        alive--;
    }
}
