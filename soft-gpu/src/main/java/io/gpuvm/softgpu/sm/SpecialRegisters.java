package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;
import java.util.function.LongSupplier;

/// Values that S2R reads. The clock is the GPU's, in nanoseconds.
final class SpecialRegisters {
    private static final int LANES = Rows.LANES;
    private static final int Y_SHIFT = 16;
    private static final int Z_SHIFT = 26;
    private static final int SM_SHIFT = 20;
    private static final int WARP_SHIFT = 8;

    /// Maximum number of warps in a multiprocessor.
    private static final int MOST_WARPS = 48;

    /// Number of multiprocessors of a GF100.
    private static final int MULTIPROCESSORS = 16;

    private static final int WINDOW_BYTES = 1 << 24;
    private static final int SHARED_BANKS = 32;

    private final int number;
    private final LongSupplier clockNs;
    private final int[] threadX = new int[Block.MOST_THREADS];
    private final int[] threadY = new int[Block.MOST_THREADS];
    private final int[] threadZ = new int[Block.MOST_THREADS];

    private Launch launch;
    private int blockX;
    private int blockY;
    private int blockZ;

    SpecialRegisters(int number, LongSupplier clockNs) {
        this.number = number;
        this.clockNs = clockNs;
    }

    void load(Launch launch) {
        this.launch = launch;
        Dimensions size = launch.block();
        int threads = (int) size.count();
        for (int thread = 0; thread < threads; thread++) {
            threadX[thread] = thread % size.x();
            threadY[thread] = thread / size.x() % size.y();
            threadZ[thread] = thread / size.x() / size.y();
        }
    }

    void begin(long blockIndex) {
        Dimensions grid = launch.grid();
        blockX = (int) (blockIndex % grid.x());
        blockY = (int) (blockIndex / grid.x() % grid.y());
        blockZ = (int) (blockIndex / grid.x() / grid.y());
    }

    void read(Warp warp, SpecialRegister register, int row) {
        int[] r = warp.registers;
        int first = warp.number * LANES;
        switch (register) {
            case TID_X -> System.arraycopy(threadX, first, r, row, LANES);
            case TID_Y -> System.arraycopy(threadY, first, r, row, LANES);
            case TID_Z -> System.arraycopy(threadZ, first, r, row, LANES);
            case TID, LANEID, EQMASK, LTMASK, LEMASK, GTMASK, GEMASK -> {
                for (int l = 0; l < LANES; l++) {
                    r[row + l] = ofLane(register, first + l, l);
                }
            }
            default -> Arrays.fill(r, row, row + LANES, ofWarp(warp, register));
        }
    }

    private int ofLane(SpecialRegister register, int thread, int lane) {
        return switch (register) {
            case LANEID -> lane;
            case EQMASK -> 1 << lane;
            case LTMASK -> (1 << lane) - 1;
            case LEMASK -> (2 << lane) - 1;
            case GTMASK -> -(2 << lane);
            case GEMASK -> -(1 << lane);
            default -> pack(threadX[thread], threadY[thread], threadZ[thread]);
        };
    }

    private int ofWarp(Warp warp, SpecialRegister register) {
        return switch (register) {
            case VIRTCFG -> MOST_WARPS << WARP_SHIFT | MULTIPROCESSORS << SM_SHIFT;
            case VIRTID -> warp.number << WARP_SHIFT | number << SM_SHIFT;
            case CTA_PARAM -> launch.argument();
            case CTAID_X -> blockX;
            case CTAID_Y -> blockY;
            case CTAID_Z -> blockZ;
            case NTID -> pack(launch.block().x(), launch.block().y(), launch.block().z());
            case NTID_X -> launch.block().x();
            case NTID_Y -> launch.block().y();
            case NTID_Z -> launch.block().z();
            case GRIDID -> launch.gridId();
            case NCTAID_X -> launch.grid().x();
            case NCTAID_Y -> launch.grid().y();
            case NCTAID_Z -> launch.grid().z();
            case CLOCKLO -> (int) clockNs.getAsLong();
            case CLOCKHI -> (int) (clockNs.getAsLong() >>> Integer.SIZE);
            default -> ofMemory(register);
        };
    }

    private int ofMemory(SpecialRegister register) {
        return switch (register) {
            case SWINLO -> launch.windows().sharedBase();
            case LWINLO -> launch.windows().localBase();
            case SWINSZ, LWINSZ -> WINDOW_BYTES;
            case SMEMSZ -> launch.storage().sharedBytes();
            case SMEMBANKS -> SHARED_BANKS;
            case LMEMLOSZ -> launch.storage().localPositiveBytes();
            case LMEMHIOFF -> WINDOW_BYTES - launch.storage().localNegativeBytes();
            default -> 0;
        };
    }

    private static int pack(int x, int y, int z) {
        return x | y << Y_SHIFT | z << Z_SHIFT;
    }
}
