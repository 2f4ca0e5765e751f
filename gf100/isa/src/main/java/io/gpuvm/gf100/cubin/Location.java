package io.gpuvm.gf100.cubin;

/// A place in a module.
///
/// @param part what holds it
/// @param function whose part that is, or empty for one that all functions share
/// @param bank of [Part#CONSTANT] the constant bank, else 0
/// @param offset bytes from the start of the part
public record Location(Part part, String function, int bank, long offset) {
    /// What a module consists of.
    public enum Part {
        /// [CubinFunction#code].
        CODE,
        /// A constant bank, of a function or of all.
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

    /// The place some bytes further.
    Location plus(long bytes) {
        return new Location(part, function, bank, offset + bytes);
    }
}
