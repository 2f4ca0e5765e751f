package io.gpuvm.gf100.device;

/// How a device raises its interrupt.
public enum InterruptKind {
    /// Level triggered. After each signal the device masks itself until
    /// [GpuDevice#unmaskInterrupt()]; if the level still holds then, it signals again.
    INTX,
    /// One message per rearm (`nvkm/subdev/pci/gf100.c`, register `PPCI.MSI_REARM`).
    MSI
}
