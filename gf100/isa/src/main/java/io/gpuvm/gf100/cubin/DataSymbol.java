package io.gpuvm.gf100.cubin;

/// A variable that a program looks up by name.
///
/// @param space space of the variable
/// @param bank of [Space#CONSTANT] the constant bank, else 0
/// @param offset in that bank or section
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
        /// A constant bank that all kernels of the file share.
        CONSTANT,
        /// Memory that starts as zeros, [Cubin#globalBytes].
        GLOBAL,
        /// Memory that starts as [Cubin#globalInit].
        GLOBAL_INIT
    }
}
