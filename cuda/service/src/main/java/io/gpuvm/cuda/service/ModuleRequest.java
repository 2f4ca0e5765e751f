package io.gpuvm.cuda.service;

import java.lang.foreign.MemorySegment;

/// Operands of a load of a module.
///
/// @param hash SHA-256 of the image, 32 bytes, which the caller does not change
/// @param image cubin or fatbin in the data area, which the client may change at any time; empty if
///   a session of the same virtual machine has loaded an image with this hash before
/// @param description part of the data area that receives the description of the module, in the
///   form of [io.gpuvm.cuda.protocol.ModuleDescription]
public record ModuleRequest(byte[] hash, MemorySegment image, MemorySegment description) {}
