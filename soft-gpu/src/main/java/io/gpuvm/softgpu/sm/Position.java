package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.device.GridIndex;
import io.gpuvm.gf100.device.KernelPosition;

/// Position of a thread, for reports.
///
/// @param codeOffset offset of the thread's instruction from the start of the code segment, in
///   bytes
/// @param word the instruction; 0 if it cannot be read
/// @param block position of the thread's block in the grid
/// @param thread position of the thread in its block
public record Position(long codeOffset, long word, Dimensions block, Dimensions thread) {
    /// Returns the position for users of the GPU.
    ///
    /// @param code location of the kernel
    public KernelPosition in(CodeLocation code) {
        return new KernelPosition(
                code.segmentGpuVa(), code.entryOffset(), codeOffset, index(block), index(thread));
    }

    private static GridIndex index(Dimensions at) {
        return new GridIndex(at.x(), at.y(), at.z());
    }

    @Override
    public String toString() {
        return "code=%#x, instruction=%016x, block=%s, thread=%s"
                .formatted(codeOffset, word, block, thread);
    }
}
