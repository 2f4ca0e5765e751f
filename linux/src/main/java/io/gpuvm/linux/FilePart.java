package io.gpuvm.linux;

/// Part of a file with its address in a [FileSpace].
///
/// @param descriptor descriptor of the file; may be closed after the part has been added
/// @param offset start of the part in the file, in bytes, a multiple of 4 KiB
/// @param bytes length, a multiple of 4 KiB, greater than 0
/// @param address address of the part, unsigned, a multiple of 4 KiB
/// @param writable whether writes through this address are allowed
public record FilePart(int descriptor, long offset, long bytes, long address, boolean writable) {}
