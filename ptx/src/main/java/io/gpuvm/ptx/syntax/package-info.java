/// Syntax of PTX: the parser, the parse tree and diagnostics.
///
/// The entry point is [io.gpuvm.ptx.syntax.PtxParser]. The parse tree contains names as they are
/// written; package `io.gpuvm.ptx.check` resolves them. All types are immutable.
package io.gpuvm.ptx.syntax;
