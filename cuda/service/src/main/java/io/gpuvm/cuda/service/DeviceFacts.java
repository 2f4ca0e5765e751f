package io.gpuvm.cuda.service;

/// Properties of the device, which do not change during a session.
///
/// @param memoryBytes VRAM of the session's virtual machine in bytes
/// @param attributes values of `CUdevice_attribute`
public record DeviceFacts(String name, long memoryBytes, DeviceAttributes attributes) {}
