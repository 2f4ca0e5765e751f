package io.gpuvm.trap.vgpu;

import io.gpuvm.shadow.ShadowChannel;

/// Observer of a [VirtualGpu]'s reads of guest memory, and of doorbells, which cause the physical
/// GPU to read guest memory. Called on the virtual machine's thread, during the guest's request.
public interface GuestMemoryTap {
    /// Tap that ignores all events.
    GuestMemoryTap NONE =
            new GuestMemoryTap() {
                @Override
                public void onRing(ShadowChannel channel, int from, int put) {}

                @Override
                public void onRead(long guestPhys, int width, long value) {}
            };

    /// Called when a channel's ring has new entries, before the GPU is informed.
    ///
    /// @param channel channel of the ring
    /// @param from index of the first entry
    /// @param put index after the last entry; less than `from` after a wrap-around, and any value
    ///   if the guest is hostile
    void onRing(ShadowChannel channel, int from, int put);

    /// Called when a unit has read guest memory: a display channel's push buffer, or a runlist.
    ///
    /// @param width 4 or 8 bytes
    void onRead(long guestPhys, int width, long value);
}
