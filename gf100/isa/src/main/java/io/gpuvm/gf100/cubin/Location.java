package io.gpuvm.gf100.cubin;

/// A place in a module.
///
/// @param part part of the module that holds the place
/// @param function function that owns the part, or empty for a part that all functions share
/// @param bank of [Part#CONSTANT] the constant bank, else 0
/// @param offset bytes from the start of the part
public record Location(Part part, String function, int bank, long offset) {
    /// Parts of a module.
    public enum Part {
        /// [CubinFunction#code].
        CODE,
        /// A constant bank, of a function or shared by all functions.
        CONSTANT,
        /// Memory that starts as zeros, [Cubin#globalBytes].
        GLOBAL,
        /// Memory that starts as [Cubin#globalInit].
        GLOBAL_INIT,
        /// A block's shared memory.
        SHARED,
        /// A thread's local memory.
        LOCAL,
        /// None: the offset is the value itself.
        ABSOLUTE
    }

    /// Returns the place some bytes further.
    Location plus(long bytes) {
        return new Location(part, function, bank, offset + bytes);
    }
}
