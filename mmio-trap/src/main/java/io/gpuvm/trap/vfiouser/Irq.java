package io.gpuvm.trap.vfiouser;

/// Kinds of interrupts of a PCI device, in the order of their VFIO indexes
/// (`VFIO_PCI_*_IRQ_INDEX`).
public enum Irq {
    /// Level-triggered pin; maskable, and masked automatically when it signals.
    INTX(Irq.EVENTFD | Irq.MASKABLE | Irq.AUTOMASKED),
    MSI(Irq.EVENTFD | Irq.NORESIZE),
    /// Vectors of MSI-X. QEMU adds them one by one as the guest unmasks them, so this kind must be
    /// resizable.
    MSIX(Irq.EVENTFD),
    /// Fatal error of the device; QEMU stops the machine on this signal.
    ERROR(Irq.EVENTFD),
    /// Request to the client to release the device.
    REQUEST(Irq.EVENTFD);

    static final int COUNT = 5;

    private static final int EVENTFD = 1;
    private static final int MASKABLE = 2;
    private static final int AUTOMASKED = 4;
    private static final int NORESIZE = 8;
    private static final Irq[] BY_INDEX = values();

    private final int flags;

    Irq(int flags) {
        this.flags = flags;
    }

    /// Returns the kind of interrupt with the given VFIO index, 0 to [#COUNT] - 1.
    static Irq of(int index) {
        return BY_INDEX[index];
    }

    int index() {
        return ordinal();
    }

    /// Returns the flags for the reply to DEVICE_GET_IRQ_INFO.
    int flags() {
        return flags;
    }

    boolean maskable() {
        return (flags & MASKABLE) != 0;
    }
}
