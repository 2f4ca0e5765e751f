package io.gpuvm.ptx.optimize;

import io.gpuvm.ptx.ir.Function;

/// Sequence of the optimizations.
public final class Optimizer {
    private Optimizer() {}

    /// Optimizes a function before its operands are made encodable.
    ///
    /// @param optimize whether to do more than remove unused instructions
    public static void apply(Function function, boolean optimize) {
        DeadCode.remove(function);
        if (optimize) {
            ValueNumbering.apply(function);
            AddressFolding.apply(function);
            SourceModifiers.apply(function);
            DeadCode.remove(function);
            IfConversion.apply(function);
            ValueNumbering.apply(function);
            PredicateFolding.apply(function);
            DeadCode.remove(function);
            Vectorizer.apply(function);
            Fusion.apply(function);
            DeadCode.remove(function);
            TextureComponents.apply(function);
        }
    }

    /// Removes what the last steps left unused.
    public static void finish(Function function) {
        DeadCode.remove(function);
    }
}
