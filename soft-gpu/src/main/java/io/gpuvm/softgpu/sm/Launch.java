package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.util.List;

/// What one launch runs, and on what: made once, shared by every [Sm] that runs blocks of it.
///
/// Values are within the hardware's limits: whoever makes one has checked them.
///
/// @param code the kernel
/// @param grid blocks
/// @param block threads of a block, at most 1024
/// @param gridId number of the launch, as threads can read it (method 780)
/// @param argument data of the launch method, as threads can read it
/// @param storage what threads have
/// @param windows where local and shared memory are
/// @param constants the [ConstantBank#COUNT] constant banks
/// @param textures what fetches read
/// @param instanceTarget which memory the channel's instance block is in
/// @param instanceAddress address of that instance block
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
                    "constants=%d, limit=%d".formatted(constants.size(), ConstantBank.COUNT));
        }
    }
}
