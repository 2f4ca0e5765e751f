package io.gpuvm.softgpu.sm;

/// Position of a thread, for reports.
///
/// @param codeOffset offset of the thread's instruction from the start of the code segment, in
///   bytes
/// @param word the instruction; 0 if it cannot be read
/// @param block position of the thread's block in the grid
/// @param thread position of the thread in its block
public record Position(long codeOffset, long word, Dimensions block, Dimensions thread) {
    @Override
    public String toString() {
        return "code=%#x, instruction=%016x, block=%s, thread=%s"
                .formatted(codeOffset, word, block, thread);
    }
}
