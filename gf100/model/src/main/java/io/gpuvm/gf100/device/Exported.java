package io.gpuvm.gf100.device;

/// A range of a BAR that another process may map. A mapping outlives the descriptor: as long as one
/// is left, the kernel gives the card to nobody else.
///
/// @param descriptor file descriptor, owned by the device and valid until it is closed
/// @param offset where the range starts in that file, in bytes
/// @param bytes length of the range
public record Exported(int descriptor, long offset, long bytes) {}
