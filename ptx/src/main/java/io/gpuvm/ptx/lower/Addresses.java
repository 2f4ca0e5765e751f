package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.IrOperand;

/// Locations of symbols, as one function sees them.
public interface Addresses {
    /// Returns the offset of a variable in its space: constant bank, shared memory, local memory
    /// from [#localBase()], or call arguments from [#localBase()].
    int offset(PtxVariable variable);

    /// Returns the register to which offsets of local memory are added, or zero.
    IrOperand localBase();

    /// Returns the offset from [#localBase()] of the parameters of a function that is not a kernel.
    int incoming();

    /// Returns the offset from [#localBase()] of a copy of a kernel's parameters, by which they
    /// have generic addresses, or -1 if the function is not a kernel or takes no such address.
    int parameterCopy();

    /// Returns whether the program has shared memory, so that generic addresses may be addresses of
    /// it.
    boolean hasShared();

    /// Returns the offset in shared memory of a word for each thread of a block, by which the
    /// threads of a warp exchange values.
    int exchange();

    /// Returns the number of bytes of shared memory of the kernel besides its dynamic part, or -1
    /// in a function that several kernels may call.
    int sharedBytes();

    /// Returns the number of bytes of the constant bank of variables.
    int constantBytes();

    /// Returns the constant with the generic address of the constant bank of variables.
    IrOperand.Constant constantWindow();

    /// Returns the slot from which the program's functions read a texture.
    int slot(PtxVariable texture);

    /// Returns the number of the program's textures, whose slots begin with 0.
    int textures();

    /// Returns the name by which the loader finds a symbol.
    String name(PtxSymbol symbol);
}
