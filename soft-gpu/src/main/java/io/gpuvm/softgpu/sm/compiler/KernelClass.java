package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Generated class, not yet defined.
///
/// @param bytes the class file
/// @param instructions class data: the instructions that the class may pass to the interpreter
public record KernelClass(byte[] bytes, Instruction[] instructions) {}
