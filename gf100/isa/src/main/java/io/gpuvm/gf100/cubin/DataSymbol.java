package io.gpuvm.gf100.cubin;

/// Variable that a program looks up by name.
///
/// @param space memory that contains the variable
/// @param bank constant bank for [Space#CONSTANT], otherwise 0
/// @param offset offset in the bank or section
public record DataSymbol(String name, Space space, int bank, long offset, long sizeBytes) {
    /// Returns the start of the variable.
    public Location location() {
        Location.Part part =
                switch (space) {
                    case CONSTANT -> Location.Part.CONSTANT;
                    case GLOBAL -> Location.Part.GLOBAL;
                    case GLOBAL_INIT -> Location.Part.GLOBAL_INIT;
                };
        return new Location(part, "", bank, offset);
    }

    /// Space for variables.
    public enum Space {
        /// Constant bank that all kernels of the file share.
        CONSTANT,
        /// Zero-initialized memory, [Cubin#globalBytes].
        GLOBAL,
        /// Memory that is initialized with [Cubin#globalInit].
        GLOBAL_INIT
    }
}
