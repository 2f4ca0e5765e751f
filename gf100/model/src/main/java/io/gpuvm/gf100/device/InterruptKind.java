package io.gpuvm.gf100.device;

/// Mechanism by which a device raises its interrupt.
public enum InterruptKind {
    /// Level-triggered. After each signal the device masks itself until
    /// [GpuDevice#unmaskInterrupt()]; if the level is then still asserted, the device signals
    /// again.
    INTX,
    /// Message-signalled. After each message, the device sends no other message until the driver
    /// re-arms the interrupt (`nvkm/subdev/pci/gf100.c`, register `PPCI.CYA_2`).
    MSI
}
