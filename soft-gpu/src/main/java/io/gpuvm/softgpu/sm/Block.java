package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;

/// A block of threads while it runs: its warps and what they share. Objects are kept from block to
/// block. Confined to the thread that runs the block.
final class Block {
    /// Most threads that a block may have.
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

    /// How many warps it has.
    int warps() {
        return count;
    }

    Warp warp(int number) {
        return all[number];
    }

    /// How many warps have not exited.
    int aliveWarps() {
        return alive;
    }

    /// A warp has exited.
    void onExit() {
        alive--;
    }
}
