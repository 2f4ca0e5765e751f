package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.trap.vfiouser.Region;

/// Parts of a GPU's BARs that its user may map. Confined to the thread that serves the user.
public interface MappableBars {
    /// No mappable parts.
    MappableBars NONE =
            new MappableBars() {
                @Override
                public void open() {}

                @Override
                public Region region(Bar bar, long bytes) {
                    return Region.trapped(bytes, true);
                }

                @Override
                public void close() {}
            };

    /// Called when a user connects; the GPU is in the state after a reset.
    void open();

    /// Returns a BAR in the user's view.
    ///
    /// @param bytes length of the BAR
    Region region(Bar bar, long bytes);

    /// Called when the user has disconnected. Memory that the user still has mapped must not be
    /// visible to another user. The GPU is reset afterwards, because the user could write to it
    /// until this call.
    void close();
}
