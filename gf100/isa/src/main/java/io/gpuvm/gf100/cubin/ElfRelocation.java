package io.gpuvm.gf100.cubin;

/// A place that the loader patches.
///
/// @param section index of the place's section
/// @param offset offset in that section
/// @param symbol index in the symbol table
/// @param type value to write and its encoding: a number of NVIDIA's
/// @param addend 0 if the place itself holds it
/// @param inPlace whether the place itself holds the addend
public record ElfRelocation(
        int section, long offset, int symbol, int type, long addend, boolean inPlace) {}
