package io.gpuvm.pv.module;

/// A variable that programs find by its name, in global memory or in a constant bank. Both can be
/// written like any other memory; a launch sees constants as they were when it started.
///
/// @param offset bytes from the start of the image
/// @param bytes how large it is
public record ModuleVariable(String name, long offset, long bytes) {}
