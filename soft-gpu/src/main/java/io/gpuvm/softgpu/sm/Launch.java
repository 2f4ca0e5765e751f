package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.util.List;

/// Kernel and environment of one launch: created once, shared by every [Sm] that runs blocks of the
/// launch.
///
/// All values are within the hardware's limits: the creator has checked them.
///
/// @param code location of the kernel
/// @param grid size of the grid, in blocks
/// @param block size of a block, in threads; at most 1024 threads in total
/// @param gridId number of the launch, readable by threads (method 0x780)
/// @param argument data of the launch method, readable by threads
/// @param storage resources of blocks, warps and threads
/// @param windows addresses of local and shared memory
/// @param constants the [ConstantBank#COUNT] constant banks
/// @param textures textures for fetches
/// @param instanceTarget memory of the channel's instance block
/// @param instanceAddress address of the channel's instance block
public record Launch(
        CodeLocation code,
        Dimensions grid,
        Dimensions block,
        int gridId,
        int argument,
        ThreadStorage storage,
        MemoryWindows windows,
        List<ConstantBank> constants,
        TextureBindings textures,
        MemoryTarget instanceTarget,
        long instanceAddress) {
    public Launch {
        constants = List.copyOf(constants);
        if (constants.size() != ConstantBank.COUNT) {
            throw new IllegalArgumentException(
                    "constants=%d, expected=%d".formatted(constants.size(), ConstantBank.COUNT));
        }
    }
}
