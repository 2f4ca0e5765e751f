package io.gpuvm.ptx.build;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.syntax.SourcePosition;

/// Errors about names that modules share.
final class LinkErrors {
    private static final SourcePosition START = new SourcePosition(1, 1);

    private LinkErrors() {}

    /// Adds an error on the position of a function's definition, or on the start of the module.
    static void add(SourceUnit unit, PtxSymbol symbol, String message) {
        SourcePosition at =
                unit.module().functions().stream()
                        .filter(function -> function.header() == symbol)
                        .map(PtxFunction::position)
                        .findFirst()
                        .orElse(START);
        unit.errors().error(at, message);
    }

    /// Adds an error on the start of the module.
    static void add(SourceUnit unit, String message) {
        unit.errors().error(START, message);
    }
}
