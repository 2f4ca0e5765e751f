package io.gpuvm.linux;

/// A part of a file, and where in a [FileSpace] it is to appear.
///
/// @param descriptor the file; may be closed once the part has been added
/// @param offset where the part starts in the file, in bytes, a multiple of 4 KiB
/// @param bytes length, a multiple of 4 KiB, greater than 0
/// @param address where it appears, unsigned, a multiple of 4 KiB
/// @param writable whether it may be written there
public record FilePart(int descriptor, long offset, long bytes, long address, boolean writable) {}
