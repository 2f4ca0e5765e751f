package io.gpuvm.ptx.check;

/// Name and signature of a function.
///
/// @param index number in its module, from 0, without gaps
/// @param kernel whether the function is an `.entry`
/// @param defined whether the module contains the body
/// @param noReturn whether the function never returns
/// @param signature signature; of the definition if there is one
public record PtxFunctionHeader(
        int index,
        String name,
        PtxLinkage linkage,
        boolean kernel,
        boolean defined,
        boolean noReturn,
        PtxSignature signature)
        implements PtxSymbol {
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return index;
    }
}
