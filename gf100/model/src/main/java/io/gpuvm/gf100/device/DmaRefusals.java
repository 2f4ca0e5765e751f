package io.gpuvm.gf100.device;

/// Told which of several mappings a device does not make.
@FunctionalInterface
public interface DmaRefusals {
    /// A mapping is not made.
    ///
    /// @param index its place in the list
    void onRefused(int index, GpuDeviceException why);
}
