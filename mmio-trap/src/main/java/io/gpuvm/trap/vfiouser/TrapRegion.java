package io.gpuvm.trap.vfiouser;

/// Categories in which trapped accesses are counted. Parts of BAR0 that are windows to memory are
/// separate from its registers, because they cost a guest many more messages.
public enum TrapRegion {
    /// Registers in BAR0.
    BAR0,
    /// Window to VRAM in BAR0.
    PRAMIN,
    /// VBIOS in BAR0.
    PROM,
    /// Aperture to VRAM; doorbells.
    BAR1,
    /// Part of a paravirtual guest's shared area that is not mapped.
    BAR2,
    /// Aperture to instance memory.
    BAR3,
    /// I/O ports.
    BAR5,
    /// Expansion ROM.
    ROM,
    /// PCI configuration space.
    CONFIG
}
