package io.gpuvm.gf100.cubin;

/// Location in a module that the loader patches.
///
/// @param place location, in a part that has contents
/// @param type value to write, and its encoding
/// @param symbol name for messages: the name of the symbol, or of its section
/// @param target location of the symbol, or null if another module must define it
/// @param addend number to add; 0 if the location itself contains the addend
/// @param inPlace whether the location itself contains the addend
public record CubinRelocation(
        Location place,
        RelocationType type,
        String symbol,
        Location target,
        long addend,
        boolean inPlace) {}
