package io.gpuvm.trap.vfiouser;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import java.util.List;

/// What a [VfioUserServer] needs of the PCI device that it serves.
///
/// Everything is called by the server's thread. The server has checked what came from the client:
/// accesses lie in a region that allows them and are aligned to their width, vectors exist, ranges
/// do not overlap.
public interface VfioUserDevice {
    /// A client has connected, and nothing of it has been read yet.
    default void connected() {}

    /// A region by its VFIO number, 0 to 8; [Region#ABSENT] if the device has none. Constant while
    /// a client is connected; only descriptor and areas differ for the next one.
    Region region(int index);

    /// Reads `width` (1, 2, 4 or 8) bytes; the value is zero-extended.
    long read(int region, long offset, int width);

    /// Writes the low `width` (1, 2, 4 or 8) bytes of a value.
    void write(int region, long offset, int width, long value);

    /// As what an access that begins here is counted.
    TrapRegion trapRegion(int region, long offset);

    /// Number of interrupt vectors of a kind. Constant.
    int vectors(Irq irq);

    /// Has a vector signal an eventfd from now on, instead of the one it signalled so far. The
    /// server keeps the descriptor open until another one or [#disconnectInterrupt] replaces it. If
    /// this throws, the vector has what it had, or nothing, and the descriptor is closed.
    void connectInterrupt(Irq irq, int vector, int eventDescriptor);

    /// Has a vector signal nothing from now on.
    void disconnectInterrupt(Irq irq, int vector);

    /// Holds back [Irq#INTX] until [#unmaskInterrupt()].
    void maskInterrupt();

    /// Lets [Irq#INTX] signal again, and at once if its level holds. The device has masked it by
    /// itself when it signalled.
    void unmaskInterrupt();

    /// Whether the device may reach guest memory: bit 2 of its PCI command register. Asked after
    /// every write to configuration space and every reset.
    boolean busMaster();

    /// Whether a range of guest addresses lies in one of the device's own BARs.
    boolean isOwnRange(long guestPhys, long bytes);

    /// Lets the device reach guest memory. Only called while [#busMaster()].
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the memory cannot be used
    void mapDma(DmaMapping mapping);

    /// Does the same for each of several pieces, some dozens at the most, and lets the device reach
    /// those that it can use.
    ///
    /// @param refusals told of the others
    default void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        for (int i = 0; i < mappings.size(); i++) {
            try {
                mapDma(mappings.get(i));
            } catch (GpuDeviceException e) {
                refusals.onRefused(i, e);
            }
        }
    }

    /// Takes memory back; when this returns the device does not touch it any more.
    ///
    /// @param iova start, unsigned
    /// @param bytes length, unsigned; the range may end at 2^64
    void unmapDma(long iova, long bytes);

    /// Does the same for each of several ranges, some dozens at the most.
    default void unmapDma(List<DmaRange> ranges) {
        for (DmaRange range : ranges) {
            unmapDma(range.iova(), range.bytes());
        }
    }

    /// Power-on state for everything but interrupt connections and guest memory. Must take less
    /// than the 5 s after which QEMU gives up.
    void reset();

    /// The client is gone; its interrupts are disconnected and its memory is unmapped already.
    void disconnected();
}
