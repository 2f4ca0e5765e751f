package io.gpuvm.ptx.check;

/// Address of a symbol in the initial value of a variable.
///
/// @param offset offset of the address from the start of the variable in bytes
/// @param bytes size of the address in bytes: 4 or 8, or 1 for one byte of it
/// @param symbol name of a variable of the module or of a function
/// @param addend bytes added to the address of the symbol
/// @param generic whether the address is generic; otherwise it is an address of the symbol's space
/// @param shift number of the lowest bit of the address that is stored; a multiple of 8
public record PtxReference(
        long offset, int bytes, String symbol, long addend, boolean generic, int shift) {}
