package io.gpuvm.gf100.cubin;

/// A place in a module that the loader patches.
///
/// @param place location, in a part with contents
/// @param type value to write, and its encoding
/// @param symbol name for messages: the symbol's, or that of its section
/// @param target location of the symbol, or null if another module must define it
/// @param addend number to add; 0 if the place itself holds it
/// @param inPlace whether the place itself holds the addend
public record CubinRelocation(
        Location place,
        RelocationType type,
        String symbol,
        Location target,
        long addend,
        boolean inPlace) {}
