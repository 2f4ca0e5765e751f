package io.gpuvm.trap.vfiouser;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import java.util.List;

/// PCI device that a [VfioUserServer] serves.
///
/// All methods are called on the server's thread. The server has checked the client's values:
/// accesses lie in a region that allows them and are aligned to their width, vectors exist, ranges
/// do not overlap.
public interface VfioUserDevice {
    /// Called when a client has connected, before its first message is read.
    default void connected() {}

    /// Returns a region by its VFIO number, 0 to 8; [Region#ABSENT] if the device does not have the
    /// region. Constant while a client is connected; for the next client, only descriptor and areas
    /// may differ.
    Region region(int index);

    /// Reads `width` (1, 2, 4 or 8) bytes; the value is zero-extended.
    long read(int region, long offset, int width);

    /// Writes the low `width` (1, 2, 4 or 8) bytes of a value.
    void write(int region, long offset, int width, long value);

    /// Returns the category in which an access at this offset is counted.
    TrapRegion trapRegion(int region, long offset);

    /// Returns the number of interrupt vectors of a kind. Constant.
    int vectors(Irq irq);

    /// Connects a vector to an eventfd, instead of its previous eventfd. The server keeps the
    /// descriptor open until another eventfd replaces it or [#disconnectInterrupt] is called. If
    /// this method throws, the vector has its previous eventfd or none, and the descriptor is
    /// closed.
    void connectInterrupt(Irq irq, int vector, int eventDescriptor);

    /// Disconnects a vector from its eventfd.
    void disconnectInterrupt(Irq irq, int vector);

    /// Masks [Irq#INTX] until [#unmaskInterrupt()].
    void maskInterrupt();

    /// Unmasks [Irq#INTX], which signals immediately if its level is still asserted. The device
    /// masks the interrupt when it signals.
    void unmaskInterrupt();

    /// Returns whether the device may reach guest memory: bit 2 of its PCI command register. Called
    /// after every write to configuration space and every reset.
    boolean busMaster();

    /// Returns whether a range of guest addresses lies in one of the device's own BARs.
    boolean isOwnRange(long guestPhys, long bytes);

    /// Maps guest memory to the device. Called only while [#busMaster()] is true.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the memory cannot be used
    void mapDma(DmaMapping mapping);

    /// Maps several ranges of guest memory, at most 64, except those that the device cannot use.
    ///
    /// @param refusals receives the ranges that the device cannot use
    default void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        for (int i = 0; i < mappings.size(); i++) {
            try {
                mapDma(mappings.get(i));
            } catch (GpuDeviceException e) {
                refusals.onRefused(i, e);
            }
        }
    }

    /// Unmaps memory; after this method returns, the device does not access it.
    ///
    /// @param iova start, unsigned
    /// @param bytes length, unsigned; the range may end at 2^64
    void unmapDma(long iova, long bytes);

    /// Unmaps several ranges, at most 64.
    default void unmapDma(List<DmaRange> ranges) {
        for (DmaRange range : ranges) {
            unmapDma(range.iova(), range.bytes());
        }
    }

    /// Restores the power-on state of everything except interrupt connections and guest memory. The
    /// duration must be less than 5 s, QEMU's timeout.
    void reset();

    /// Called when the client has disconnected; its interrupts are already disconnected and its
    /// memory is already unmapped.
    void disconnected();
}
