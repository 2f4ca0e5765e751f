package io.gpuvm.gf100.cubin;

/// Location that the loader patches.
///
/// @param section index of the location's section
/// @param offset offset in that section
/// @param symbol index in the symbol table
/// @param type NVIDIA's number for the value to write and its encoding
/// @param addend number to add; 0 if the location itself contains the addend
/// @param inPlace whether the location itself contains the addend
public record ElfRelocation(
        int section, long offset, int symbol, int type, long addend, boolean inPlace) {}
