package io.gpuvm.ptx.assertion;

/// Assertion that failed in a thread of a kernel.
///
/// @param file name of the source file
/// @param line number of the line
/// @param function name of the function, as the compiler writes it
/// @param expression expression that is false
/// @param block position of the thread's block in the grid
/// @param thread position of the thread in its block
public record FailedAssertion(
        String file, int line, String function, String expression, Index block, Index thread) {
    /// Position of a block in a grid, or of a thread in a block.
    public record Index(int x, int y, int z) {
        /// Returns the position in the form of CUDA's messages.
        @Override
        public String toString() {
            return "[%d,%d,%d]".formatted(x, y, z);
        }
    }

    /// Returns the message in the form that CUDA documents (CUDA C++ Programming Guide, Assertion),
    /// without a newline.
    @Override
    public String toString() {
        return "%s:%s: %s: block: %s, thread: %s Assertion `%s` failed."
                .formatted(
                        file, Integer.toUnsignedString(line), function, block, thread, expression);
    }
}
