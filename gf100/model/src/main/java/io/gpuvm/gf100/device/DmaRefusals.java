package io.gpuvm.gf100.device;

/// Receiver of the mappings that a device refuses.
@FunctionalInterface
public interface DmaRefusals {
    /// Called for each refused mapping.
    ///
    /// @param index index of the mapping in the list
    void onRefused(int index, GpuDeviceException why);
}
