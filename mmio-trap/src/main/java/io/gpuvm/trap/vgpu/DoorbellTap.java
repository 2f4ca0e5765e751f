package io.gpuvm.trap.vgpu;

import io.gpuvm.shadow.ShadowChannel;

/// Overhears the doorbells of a [VirtualGpu]: each that brings new work, before the GPU hears of
/// it.
@FunctionalInterface
public interface DoorbellTap {
    /// Listens to nothing.
    DoorbellTap NONE = (_, _, _) -> {};

    /// A channel's ring has new entries. Called on the virtual machine's thread.
    ///
    /// @param channel whose guest has put them there
    /// @param from index of the first
    /// @param put index after the last; in a ring it can be less than `from`, and a hostile guest
    ///   can make it anything
    void onRing(ShadowChannel channel, int from, int put);
}
