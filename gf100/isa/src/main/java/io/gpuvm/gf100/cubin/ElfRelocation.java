package io.gpuvm.gf100.cubin;

/// A place that the loader fills in.
///
/// @param section index of the section that the place lies in
/// @param offset where in that section
/// @param symbol index in the symbol table
/// @param type what to fill in, and how: a number of NVIDIA's
/// @param addend 0 when the place itself holds it
/// @param inPlace whether the place itself holds the addend
public record ElfRelocation(
        int section, long offset, int symbol, int type, long addend, boolean inPlace) {}
