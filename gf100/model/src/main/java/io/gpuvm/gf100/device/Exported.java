package io.gpuvm.gf100.device;

/// Range of a BAR that another process may map. A mapping outlives the descriptor: while a mapping
/// exists, Linux assigns the card to no other process.
///
/// @param descriptor file descriptor, owned by the device and valid until the device is closed
/// @param offset start of the range in that file, in bytes
/// @param bytes length of the range
public record Exported(int descriptor, long offset, long bytes) {}
