package io.gpuvm.trap.vfiouser;

/// As what trapped accesses are counted. Parts of BAR0 that are windows to memory are kept apart
/// from its registers, because they cost a guest much more messages.
public enum TrapRegion {
    /// Registers in BAR0.
    BAR0,
    /// The window to VRAM in BAR0.
    PRAMIN,
    /// The VBIOS in BAR0.
    PROM,
    /// The aperture to VRAM; doorbells.
    BAR1,
    /// What of a paravirtual guest's shared area is not mapped.
    BAR2,
    /// The aperture to instance memory.
    BAR3,
    /// I/O ports.
    BAR5,
    /// The expansion ROM.
    ROM,
    /// PCI configuration space.
    CONFIG
}
