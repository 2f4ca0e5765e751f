package io.gpuvm.cuda.api.table;

/// Value of `cudaError`.
///
/// @param value value since CUDA 10.1
/// @param oldValue value until CUDA 10.0, or -1 if the error did not exist
/// @param name name, such as `cudaErrorInvalidValue`
/// @param text description, of gpuvm's own
public record RuntimeError(int value, int oldValue, String name, String text) {}
