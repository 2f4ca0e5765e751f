package io.gpuvm.trap.vgpu;

/// Receiver of the pages of VRAM that a guest can write without traps.
interface Exposure {
    /// Called before the guest can reach a page.
    void expose(long guestVram);

    /// Called after the guest has lost access to a page.
    void conceal(long guestVram);
}
