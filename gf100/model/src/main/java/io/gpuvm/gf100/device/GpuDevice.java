package io.gpuvm.gf100.device;

import java.util.List;

/// GPU as its driver accesses it on the PCI bus: a [PhysicalGpu], or a guest's virtual GPU. Code
/// accesses a GPU only through this interface.
///
/// **Threading.** All methods are confined to one thread at a time, the driver's. They are
/// synchronous and take effect in the order of the calls, as on the PCI bus.
///
/// **Errors.** Accesses that a guest can cause behave as on hardware: reads outside of all
/// registers return zero, reads of unmapped memory return all ones, writes to either are dropped.
/// An invalid argument, which only gpuvm's own code can pass, throws [IllegalArgumentException] or
/// [IndexOutOfBoundsException]; a refusal by Linux throws [GpuDeviceException].
public interface GpuDevice extends DmaPort, AutoCloseable {
    /// Returns ids and BAR sizes. Constant.
    PciIdentity identity();

    /// Returns the size of VRAM in bytes. Constant.
    long vramBytes();

    /// Reads from a region.
    ///
    /// @param bar region of the device
    /// @param offset byte offset, a multiple of `width`
    /// @param width 1, 2, 4 or 8 bytes
    /// @return value, zero-extended
    /// @throws IndexOutOfBoundsException if the access is outside of the region
    long read(Bar bar, long offset, int width);

    /// Writes to a region; excess bits of `value` are ignored. Arguments as in [#read].
    void write(Bar bar, long offset, int width, long value);

    /// Returns the addresses at which host memory can be mapped, in ascending order: the bus's
    /// range without the device's reserved ranges. Constant.
    List<IovaRange> iovaRanges();

    /// Makes the device add 1 to the eventfd `eventDescriptor` at each interrupt; the caller keeps
    /// the descriptor open until [#disconnectInterrupt()]. Replaces an earlier connection. A level
    /// that is already asserted signals immediately.
    void connectInterrupt(InterruptKind kind, int eventDescriptor);

    /// Disconnects the interrupt; no signal is sent after this call returns.
    void disconnectInterrupt();

    /// Masks [InterruptKind#INTX] until [#unmaskInterrupt()].
    void maskInterrupt();

    /// Unmasks [InterruptKind#INTX]; signals immediately if the level is asserted.
    void unmaskInterrupt();

    /// Resets every register to its power-on state, stops all channels and disarms interrupts. The
    /// contents of VRAM are undefined afterwards. Hardware retains them, so the owner of the GPU
    /// scrubs VRAM before another guest receives it. DMA mappings and the interrupt connection
    /// remain.
    ///
    /// @throws GpuDeviceException if Linux cannot reset the device
    void reset();

    /// Stops all work, resets the device and releases its resources. A second call has no effect.
    @Override
    void close();
}
