package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.sm.CodeLocation;
import io.gpuvm.softgpu.sm.ConstantBank;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.MemoryWindows;
import io.gpuvm.softgpu.sm.ThreadStorage;
import java.util.ArrayList;
import java.util.List;

/// Description of the next launch, as set by the methods of compute, and its validation. Confined
/// to the engine thread.
final class LaunchState {
    private static final int LANES = 32;

    private final ClassState state;

    LaunchState(ClassState state) {
        this.state = state;
    }

    /// @return error code of [GraphError], 0 if the launch is valid
    int check() {
        int error = checkShape();
        if (error == 0) {
            error = checkStorage();
        }
        return error == 0 ? checkMemory() : error;
    }

    /// Returns the number of multiprocessors for which the memory for local memory and stacks
    /// suffices. Each multiprocessor needs a share for its maximum number of warps, except the
    /// last, which needs a share for one block only.
    int multiprocessors() {
        long ofWarp = tempBytesOfWarp();
        if (ofWarp == 0) {
            return Integer.MAX_VALUE;
        }
        long room = tempBytes() / ofWarp - warps();
        long shares = room < 0 ? 0 : room / ComputeClass.WARPS_OF_MULTIPROCESSOR + 1;
        return (int) Math.min(Integer.MAX_VALUE, shares);
    }

    /// Returns the launch, after [#check()] has returned 0.
    ///
    /// @param argument argument that threads can read
    Launch launch(
            int argument,
            long codeVersion,
            ConstantBuffers constants,
            TextureSlots textures,
            ChannelTlb addressSpace) {
        long code = state.address(ComputeClass.CODE_ADDRESS_HIGH, ComputeClass.CODE_ADDRESS_LOW);
        return new Launch(
                new CodeLocation(code, state.get(ComputeClass.ENTRY), codeVersion),
                grid(),
                block(),
                state.get(ComputeClass.GRID_ID),
                argument,
                new ThreadStorage(
                        state.get(ComputeClass.REGISTERS),
                        state.get(ComputeClass.BARRIERS),
                        state.get(ComputeClass.SHARED_BYTES),
                        state.get(ComputeClass.LOCAL_POSITIVE_BYTES),
                        state.get(ComputeClass.LOCAL_NEGATIVE_BYTES),
                        state.get(ComputeClass.CALL_STACK_BYTES)),
                new MemoryWindows(
                        state.get(ComputeClass.SHARED_BASE),
                        state.get(ComputeClass.LOCAL_BASE),
                        tempGpuVa(),
                        tempBytes()),
                banks(constants),
                textures.bindings(state),
                addressSpace.instanceTarget(),
                addressSpace.instanceAddress());
    }

    private int checkShape() {
        Dimensions grid = grid();
        Dimensions block = block();
        if (!isIn(grid.x(), ComputeClass.GRID_LIMIT)
                || !isIn(grid.y(), ComputeClass.GRID_LIMIT)
                || !isIn(grid.z(), ComputeClass.GRID_LIMIT)
                || !isIn(block.x(), ComputeClass.BLOCK_LIMIT_XY)
                || !isIn(block.y(), ComputeClass.BLOCK_LIMIT_XY)
                || !isIn(block.z(), ComputeClass.BLOCK_LIMIT_Z)) {
            return GraphError.CODE_INVALID_VALUE;
        }
        long threads = block.count();
        if (threads > ComputeClass.BLOCK_LIMIT_THREADS) {
            return GraphError.CODE_NOT_ENOUGH_WARPS;
        }
        return threads > state.unsigned(ComputeClass.THREADS)
                ? GraphError.CODE_BLOCK_SIZE_MISMATCH
                : 0;
    }

    private int checkStorage() {
        int registers = state.get(ComputeClass.REGISTERS);
        long barriers = state.unsigned(ComputeClass.BARRIERS);
        if (!isIn(registers, ComputeClass.REGISTERS_LIMIT)
                || barriers > ComputeClass.BARRIERS_LIMIT
                || state.unsigned(ComputeClass.SHARED_BYTES) > sharedLimit()) {
            return GraphError.CODE_INVALID_VALUE;
        }
        int unit = ComputeClass.REGISTERS_OF_WARP_UNIT;
        long ofWarp = (registers * LANES + unit - 1) / unit * unit;
        return warps() * ofWarp > ComputeClass.REGISTERS_OF_MULTIPROCESSOR
                ? GraphError.CODE_NO_REGISTER_SPACE
                : 0;
    }

    private int checkMemory() {
        if (!isSize(ComputeClass.LOCAL_POSITIVE_BYTES, ComputeClass.LOCAL_ALIGNMENT_BYTES)
                || !isSize(ComputeClass.LOCAL_NEGATIVE_BYTES, ComputeClass.LOCAL_ALIGNMENT_BYTES)
                || !isSize(ComputeClass.CALL_STACK_BYTES, ComputeClass.CALL_STACK_ALIGNMENT_BYTES)
                || localBytes() > ComputeClass.LOCAL_LIMIT_BYTES
                || state.get(ComputeClass.CALL_STACK_BYTES) > ComputeClass.CALL_STACK_LIMIT_BYTES) {
            return GraphError.CODE_INVALID_VALUE;
        }
        if (state.get(ComputeClass.ENTRY) % Long.BYTES != 0
                || state.get(ComputeClass.CODE_ADDRESS_LOW) % ComputeClass.CODE_ALIGNMENT_BYTES != 0
                || tempBytesOfWarp() > 0 && tempGpuVa() % ComputeClass.TEMP_ALIGNMENT_BYTES != 0) {
            return GraphError.CODE_INVALID_ADDRESS_ALIGNMENT;
        }
        if (multiprocessors() > 0) {
            return 0;
        }
        return localBytes() > 0
                ? GraphError.CODE_NOT_ENOUGH_LOCAL_WARPS
                : GraphError.CODE_NOT_ENOUGH_STACK_WARPS;
    }

    private Dimensions grid() {
        int yx = state.get(ComputeClass.GRID_YX);
        return new Dimensions(
                ComputeClass.DIMENSION_X.get(yx),
                ComputeClass.DIMENSION_Y.get(yx),
                state.get(ComputeClass.GRID_Z));
    }

    private Dimensions block() {
        int yx = state.get(ComputeClass.BLOCK_YX);
        return new Dimensions(
                ComputeClass.DIMENSION_X.get(yx),
                ComputeClass.DIMENSION_Y.get(yx),
                state.get(ComputeClass.BLOCK_Z));
    }

    private long warps() {
        return (block().count() + LANES - 1) / LANES;
    }

    private int sharedLimit() {
        return state.get(ComputeClass.CACHE_SPLIT) == ComputeClass.SPLIT_SHARED_16K
                ? ComputeClass.SHARED_SMALL_BYTES
                : ComputeClass.SHARED_LARGE_BYTES;
    }

    private long localBytes() {
        return state.unsigned(ComputeClass.LOCAL_POSITIVE_BYTES)
                + state.unsigned(ComputeClass.LOCAL_NEGATIVE_BYTES);
    }

    private long tempBytesOfWarp() {
        return LANES * localBytes() + state.unsigned(ComputeClass.CALL_STACK_BYTES);
    }

    private long tempGpuVa() {
        return state.address(ComputeClass.TEMP_ADDRESS_HIGH, ComputeClass.TEMP_ADDRESS_LOW);
    }

    private long tempBytes() {
        return state.address(ComputeClass.TEMP_BYTES_HIGH, ComputeClass.TEMP_BYTES_LOW);
    }

    private boolean isSize(int method, int alignment) {
        return state.unsigned(method) <= Integer.MAX_VALUE && state.get(method) % alignment == 0;
    }

    private static boolean isIn(int value, int limit) {
        return value > 0 && value <= limit;
    }

    private static List<ConstantBank> banks(ConstantBuffers constants) {
        List<ConstantBank> banks = new ArrayList<>(ConstantMethods.BANKS);
        for (int i = 0; i < ConstantMethods.BANKS; i++) {
            int bytes = constants.bytes(0, i);
            banks.add(
                    bytes == 0
                            ? ConstantBank.UNBOUND
                            : new ConstantBank(true, constants.gpuVa(0, i), bytes));
        }
        return banks;
    }
}
