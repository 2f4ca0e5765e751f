package io.gpuvm.trap.vgpu;

/// Is told which pages of VRAM a guest can write without being trapped.
interface Exposure {
    /// From now on. Called before the guest reaches the page.
    void expose(long guestVram);

    /// Not any more. Called after the guest has lost the page.
    void conceal(long guestVram);
}
