package io.gpuvm.softgpu.sm;

/// Where a thread is, for reports.
///
/// @param codeOffset of its instruction, from the start of the code segment, in bytes
/// @param word the instruction; 0 if it cannot be read
/// @param block its block's place in the grid
/// @param thread its place in the block
public record Position(long codeOffset, long word, Dimensions block, Dimensions thread) {
    @Override
    public String toString() {
        return "code=%#x, instruction=%016x, block=%s, thread=%s"
                .formatted(codeOffset, word, block, thread);
    }
}
