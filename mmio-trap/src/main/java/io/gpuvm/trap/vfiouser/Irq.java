package io.gpuvm.trap.vfiouser;

/// The kinds of interrupts of a PCI device, by their VFIO index (`VFIO_PCI_INTX_IRQ_INDEX` and so
/// on).
public enum Irq {
    /// The level-triggered pin: maskable, masks itself when it signals.
    INTX(Irq.EVENTFD | Irq.MASKABLE | Irq.AUTOMASKED),
    MSI(Irq.EVENTFD | Irq.NORESIZE),
    /// QEMU adds vectors one by one as the guest unmasks them, so this kind must be resizable.
    MSIX(Irq.EVENTFD),
    /// A fatal error of the device; QEMU stops the machine when it is signalled.
    ERROR(Irq.EVENTFD),
    /// A wish of the device's owner to have it back.
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

    /// The kind with a VFIO index from 0 to [#COUNT] - 1.
    static Irq of(int index) {
        return BY_INDEX[index];
    }

    int index() {
        return ordinal();
    }

    /// What DEVICE_GET_IRQ_INFO says of it.
    int flags() {
        return flags;
    }

    boolean maskable() {
        return (flags & MASKABLE) != 0;
    }
}
