package io.gpuvm.gf100.device;

import java.util.List;

/// One GPU as its driver finds it on the PCI bus, and the only way by which any code touches one: a
/// [PhysicalGpu], or what a guest is given in the place of one.
///
/// **Threading.** All methods belong to one thread at a time: the driver's. They are synchronous
/// and take effect in the order of the calls, as on the PCI bus.
///
/// **Errors.** What a guest can cause is answered as hardware answers: reads outside every register
/// give zero, reads of memory that is not there give all ones, writes to either are dropped. An
/// argument that only our own code can get wrong throws [IllegalArgumentException] or
/// [IndexOutOfBoundsException]; a refusal by the kernel throws [GpuDeviceException].
public interface GpuDevice extends AutoCloseable {
    /// Ids and BAR sizes. Constant.
    PciIdentity identity();

    /// Bytes of VRAM. Constant.
    long vramBytes();

    /// Reads from a region.
    ///
    /// @param bar a region that the device has
    /// @param offset byte offset, a multiple of `width`
    /// @param width 1, 2, 4 or 8 bytes
    /// @return the value, zero-extended
    /// @throws IndexOutOfBoundsException if the access does not lie in the region
    long read(Bar bar, long offset, int width);

    /// Writes to a region; excess bits of `value` are ignored. Arguments as in [#read].
    void write(Bar bar, long offset, int width, long value);

    /// Addresses at which host memory can be mapped, ascending: what the bus can carry, less what
    /// the device needs for itself. Constant.
    List<IovaRange> iovaRanges();

    /// Lets the device reach host memory. The same mapping again changes nothing.
    ///
    /// @throws GpuDeviceException if the file is shorter than the mapping says, if the range
    ///   overlaps another mapping that is not the same or memory that the device needs for itself,
    ///   or if the kernel refuses
    void mapDma(DmaMapping mapping);

    /// Does [#mapDma(DmaMapping)] for each of several mappings, in order, and makes those that can
    /// be made. The engines may stand still meanwhile, so these should be some dozens at the most.
    ///
    /// @param refusals told of those that are not made
    default void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        for (int i = 0; i < mappings.size(); i++) {
            try {
                mapDma(mappings.get(i));
            } catch (GpuDeviceException e) {
                refusals.onRefused(i, e);
            }
        }
    }

    /// Takes back every mapping that lies inside `[iova, iova + bytes)`; bytes may reach the end of
    /// the address space. A mapping that only overlaps the range is split; what remains of it may
    /// be out of the device's reach until this returns. Ranges that were never mapped are ignored.
    ///
    /// When this returns, the device no longer reaches the memory. Work that still uses it gets
    /// what hardware gives: reads of all ones, writes dropped, perhaps a bus error. A device that
    /// knows its own work waits for the access under way.
    ///
    /// @param iova start, unsigned
    /// @param bytes length, unsigned; `iova + bytes` is at most 2^64
    /// @throws GpuDeviceException if what remains of a split mapping cannot be kept; the range is
    ///   out of reach nevertheless, and so is that remainder
    void unmapDma(long iova, long bytes);

    /// Does [#unmapDma(long, long)] for each of several ranges, of which there should be some
    /// dozens at the most.
    default void unmapDma(List<DmaRange> ranges) {
        for (DmaRange range : ranges) {
            unmapDma(range.iova(), range.bytes());
        }
    }

    /// Has the device add 1 to `eventDescriptor` (an eventfd that the caller keeps open until
    /// [#disconnectInterrupt()]) at each interrupt. Replaces an earlier connection. A level that
    /// already holds signals at once.
    void connectInterrupt(InterruptKind kind, int eventDescriptor);

    /// Ends the connection; no signal is sent after this returns.
    void disconnectInterrupt();

    /// Holds back an [InterruptKind#INTX] signal until [#unmaskInterrupt()].
    void maskInterrupt();

    /// Lets [InterruptKind#INTX] signal again; does so at once if the level holds.
    void unmaskInterrupt();

    /// Returns every register to its power-on state, stops all channels and disarms interrupts. The
    /// content of VRAM is undefined afterwards: hardware keeps it, so the owner of the GPU scrubs
    /// VRAM before another guest gets it. DMA mappings and the interrupt connection stay.
    ///
    /// @throws GpuDeviceException if the kernel cannot reset the device
    void reset();

    /// Stops everything, resets the device and gives back what it holds. A second call does
    /// nothing.
    @Override
    void close();
}
