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
public interface GpuDevice extends AutoCloseable {
    /// Returns ids and BAR sizes. Constant.
    PciIdentity identity();

    /// Returns the bytes of VRAM. Constant.
    long vramBytes();

    /// Reads from a region.
    ///
    /// @param bar region of the device
    /// @param offset byte offset, a multiple of `width`
    /// @param width 1, 2, 4 or 8 bytes
    /// @return the value, zero-extended
    /// @throws IndexOutOfBoundsException if the access is outside of the region
    long read(Bar bar, long offset, int width);

    /// Writes to a region; excess bits of `value` are ignored. Arguments as in [#read].
    void write(Bar bar, long offset, int width, long value);

    /// Returns the addresses at which host memory can be mapped, in ascending order: the bus's
    /// range without the device's reserved ranges. Constant.
    List<IovaRange> iovaRanges();

    /// Gives the device access to host memory. Mapping the same range again has no effect.
    ///
    /// @throws GpuDeviceException if the file ends before the mapping, if the range overlaps a
    ///   different mapping or memory reserved by the device, or if Linux refuses
    void mapDma(DmaMapping mapping);

    /// Calls [#mapDma(DmaMapping)] for each of several mappings, in order, and continues after a
    /// refusal. The engines may be held during the call, so a list should have at most a few dozen
    /// mappings.
    ///
    /// @param refusals receives the refused mappings
    default void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        for (int i = 0; i < mappings.size(); i++) {
            try {
                mapDma(mappings.get(i));
            } catch (GpuDeviceException e) {
                refusals.onRefused(i, e);
            }
        }
    }

    /// Unmaps every mapping inside `[iova, iova + bytes)`; the range may extend to the end of the
    /// address space. A mapping that partly overlaps the range is split; its remainder may be
    /// inaccessible to the device until this call returns. Ranges that were never mapped are
    /// ignored.
    ///
    /// When this call returns, the device can no longer access the memory. Work that still uses it
    /// behaves as on hardware: reads return all ones, writes are dropped, and the host may report a
    /// PCI error. A device that tracks its own work waits for accesses in progress.
    ///
    /// @param iova start, unsigned
    /// @param bytes length, unsigned; `iova + bytes` is at most 2^64
    /// @throws GpuDeviceException if the remainder of a split mapping cannot be retained; the range
    ///   and the remainder are then both unmapped
    void unmapDma(long iova, long bytes);

    /// Calls [#unmapDma(long, long)] for each of several ranges, at most a few dozen.
    default void unmapDma(List<DmaRange> ranges) {
        for (DmaRange range : ranges) {
            unmapDma(range.iova(), range.bytes());
        }
    }

    /// Makes the device add 1 to `eventDescriptor` (an eventfd that the caller keeps open until
    /// [#disconnectInterrupt()]) at each interrupt. Replaces an earlier connection. A level that is
    /// already asserted signals immediately.
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
