package io.gpuvm.pv.module;

/// Contents of a constant bank, to be bound before a kernel is launched.
///
/// @param index the `x` of `c[x][...]`; never 0, which is the launch's own bank
/// @param offset offset in bytes from the start of the image, a multiple of 256
/// @param bytes length, a multiple of 256, at most 64 KiB
public record BankImage(int index, long offset, int bytes) {}
