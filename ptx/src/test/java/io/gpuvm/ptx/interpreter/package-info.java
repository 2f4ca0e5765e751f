/// Interpreter of checked PTX: the reference for compiled code. It executes instructions as the PTX
/// manual describes them, without any lowering.
package io.gpuvm.ptx.interpreter;
