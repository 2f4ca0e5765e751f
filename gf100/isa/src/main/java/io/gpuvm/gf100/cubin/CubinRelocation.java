package io.gpuvm.gf100.cubin;

/// A place in a module that the loader fills in.
///
/// @param place where; its part is one that has contents
/// @param type what to fill in, and how
/// @param symbol what it is about, for people: a name, or that of the symbol's section
/// @param target where that is, or null if another module must have it
/// @param addend what is added; 0 when the place itself holds it
/// @param inPlace whether the place itself holds the addend
public record CubinRelocation(
        Location place,
        RelocationType type,
        String symbol,
        Location target,
        long addend,
        boolean inPlace) {}
