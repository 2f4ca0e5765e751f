/// Meaning of PTX: the table of instructions, and the checker, which converts a parse tree to a
/// module whose names, types and operands are resolved.
///
/// The entry point is [io.gpuvm.ptx.check.PtxChecker]. All results are immutable.
package io.gpuvm.ptx.check;
