package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.Operand;

/// Locations of symbols, as one function sees them.
public interface Addresses {
    /// Returns the offset of a variable in its space: constant bank, shared memory, local memory
    /// from [#localBase()], or call arguments from [#localBase()].
    int offset(PtxVariable variable);

    /// Returns the register to which offsets of local memory are added, or zero.
    Operand localBase();

    /// Returns the offset from [#localBase()] of the parameters of a function that is not a kernel.
    int incoming();

    /// Returns the name by which the loader finds a symbol.
    String name(PtxSymbol symbol);
}
