package io.gpuvm.pv.module;

/// Variable that programs find by name, in global memory or in a constant bank. Programs can write
/// to either like any other memory. A launch sees the values that constants had when it started.
///
/// @param offset offset in bytes from the start of the image
/// @param bytes length of the variable
public record ModuleVariable(String name, long offset, long bytes) {}
