package io.gpuvm.trap.vgpu;

import io.gpuvm.shadow.ShadowChannel;

/// Overhears which memory of its guest a [VirtualGpu] reads for itself, and when a doorbell will
/// make the GPU read some. Called on the virtual machine's thread, in the midst of what the guest
/// has asked for.
public interface GuestMemoryTap {
    /// Listens to nothing.
    GuestMemoryTap NONE =
            new GuestMemoryTap() {
                @Override
                public void onRing(ShadowChannel channel, int from, int put) {}

                @Override
                public void onRead(long guestPhys, int width, long value) {}
            };

    /// A channel's ring has new entries, of which the GPU has not heard yet.
    ///
    /// @param channel whose guest has put them there
    /// @param from index of the first
    /// @param put index after the last; in a ring it can be less than `from`, and a hostile guest
    ///   can make it anything
    void onRing(ShadowChannel channel, int from, int put);

    /// A unit has read: a display channel's push buffer, a runlist.
    ///
    /// @param width 4 or 8 bytes
    void onRead(long guestPhys, int width, long value);
}
