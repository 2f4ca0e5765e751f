package io.gpuvm.pv.module;

/// What is to be bound as a constant bank before a kernel is launched.
///
/// @param index the `x` of `c[x][...]`, never 0, which is the launch's own
/// @param offset bytes from the start of the image, a multiple of 256
/// @param bytes its size, a multiple of 256, at most 64 KiB
public record BankImage(int index, long offset, int bytes) {}
