package io.gpuvm.ptx.check;

/// Symbol whose address a program uses.
public sealed interface PtxSymbol permits PtxVariable, PtxFunctionHeader {
    /// Returns the name.
    String name();
}
