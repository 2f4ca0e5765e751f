package io.gpuvm.ptx.syntax;

import java.util.List;

/// Name that a declaration declares.
///
/// @param count number of registers of a declaration `%r<count>`, or null
/// @param dimensions lengths of an array, in order; null for a length that is omitted
/// @param initializer initial value, or null
public record DeclaratorTree(
        SourcePosition position,
        String name,
        ExpressionTree count,
        List<ExpressionTree> dimensions,
        InitializerTree initializer) {}
