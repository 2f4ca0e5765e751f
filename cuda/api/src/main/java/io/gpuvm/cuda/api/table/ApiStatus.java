package io.gpuvm.cuda.api.table;

/// Value of `CUresult`.
///
/// @param value number
/// @param name name, such as `CUDA_ERROR_NOT_FOUND`
/// @param text sentence that `cuGetErrorString` returns
public record ApiStatus(int value, String name, String text) {}
