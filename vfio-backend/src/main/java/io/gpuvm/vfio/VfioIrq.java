package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;

/// One kind of interrupt of a device, with its first vector.
///
/// Confined to one thread.
final class VfioIrq {
    /// `VFIO_PCI_INTX_IRQ_INDEX`
    static final int INTX = 0;

    /// `VFIO_PCI_MSI_IRQ_INDEX`
    static final int MSI = 1;

    private final KernelFile device;
    private final int index;

    VfioIrq(KernelFile device, int index) {
        this.device = device;
        this.index = index;
    }

    /// Has the kernel add 1 to an eventfd at each interrupt.
    ///
    /// @throws GpuDeviceException if the device has no such interrupt
    void connect(int eventDescriptor) {
        check();
        Structs.IrqSet set = set(Structs.IrqSet.DATA_EVENTFD | Structs.IrqSet.ACTION_TRIGGER, 1);
        set.eventfd = eventDescriptor;
        device.call(Request.VFIO_DEVICE_SET_IRQS, set);
    }

    /// Frees the interrupt; when this returns, no signal is under way.
    void disconnect() {
        device.call(
                Request.VFIO_DEVICE_SET_IRQS,
                set(Structs.IrqSet.DATA_NONE | Structs.IrqSet.ACTION_TRIGGER, 0));
    }

    /// Lets the interrupt come again.
    void unmask() {
        device.call(
                Request.VFIO_DEVICE_SET_IRQS,
                set(Structs.IrqSet.DATA_NONE | Structs.IrqSet.ACTION_UNMASK, 1));
    }

    private void check() {
        Structs.IrqInfo info = new Structs.IrqInfo();
        info.fillSize();
        info.index = index;
        device.call(Request.VFIO_DEVICE_GET_IRQ_INFO, info);
        if (info.count == 0 || (info.flags & Structs.IrqInfo.EVENTFD) == 0) {
            throw new GpuDeviceException(
                    "%s: no %s interrupt by eventfd, vectors=%d"
                            .formatted(device.name(), index == MSI ? "MSI" : "INTx", info.count));
        }
    }

    private Structs.IrqSet set(int flags, int count) {
        Structs.IrqSet set = new Structs.IrqSet();
        set.fillSize();
        set.flags = flags;
        set.index = index;
        set.count = count;
        return set;
    }
}
