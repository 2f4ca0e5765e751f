package io.gpuvm.ptx.check;

/// Virtual register.
///
/// @param index number in its function, from 0, without gaps
/// @param name name in the source; the component of a vector register has a suffix such as `.x`
/// @param type scalar type; vector registers are separate scalar registers
public record PtxRegister(int index, String name, PtxType type) {}
