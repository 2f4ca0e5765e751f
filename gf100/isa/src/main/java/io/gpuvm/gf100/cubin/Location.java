package io.gpuvm.gf100.cubin;

/// Location in a module.
///
/// @param part part of the module that contains the location
/// @param function function that owns the part, or empty for a part that all functions share
/// @param bank constant bank for [Part#CONSTANT], otherwise 0
/// @param offset bytes from the start of the part
public record Location(Part part, String function, int bank, long offset) {
    /// Parts of a module.
    public enum Part {
        /// [CubinFunction#code].
        CODE,
        /// Constant bank, of a function or shared by all functions.
        CONSTANT,
        /// Zero-initialized memory, [Cubin#globalBytes].
        GLOBAL,
        /// Memory that is initialized with [Cubin#globalInit].
        GLOBAL_INIT,
        /// Shared memory of a block.
        SHARED,
        /// Local memory of a thread.
        LOCAL,
        /// No part: the offset is the value itself.
        ABSOLUTE
    }

    /// Returns the location `bytes` after this location.
    Location plus(long bytes) {
        return new Location(part, function, bank, offset + bytes);
    }
}
