package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;

/// A generated class that is yet to be defined.
///
/// @param bytes the class file
/// @param instructions its class data: the instructions that it hands to the interpreter
public record KernelClass(byte[] bytes, Instruction[] instructions) {}
