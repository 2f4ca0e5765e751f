package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.trap.vfiouser.Region;

/// What of a GPU's BARs its user may map. Confined to the thread that serves that user.
public interface MappableBars {
    /// Nothing at all.
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

    /// A user has come, and finds the GPU as after a reset.
    void open();

    /// A BAR as this user is to see it.
    ///
    /// @param bytes its length
    Region region(Bar bar, long bytes);

    /// The user has gone: whatever it still has mapped is nobody else's from now on. The GPU is
    /// reset afterwards, for until now the user could write to it.
    void close();
}
