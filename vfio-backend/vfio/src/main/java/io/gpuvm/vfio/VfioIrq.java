package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.Errno;

/// One kind of a device's interrupts, of which only the first vector is used, or one kind of
/// notification that the kernel also sends through an eventfd.
///
/// Confined to one thread.
final class VfioIrq {
    /// Kind of interrupt, under the kernel's name and number.
    enum Index {
        VFIO_PCI_INTX_IRQ_INDEX(0),
        VFIO_PCI_MSI_IRQ_INDEX(1),

        /// Error of the device reported by the bus; PCI Express only.
        VFIO_PCI_ERR_IRQ_INDEX(3),

        /// Request by the kernel to close the device; the kernel waits until it is closed.
        VFIO_PCI_REQ_IRQ_INDEX(4);

        private final int number;

        Index(int number) {
            this.number = number;
        }
    }

    private final KernelFile device;
    private final Index index;

    VfioIrq(KernelFile device, Index index) {
        this.device = device;
        this.index = index;
    }

    /// Returns whether the kernel offers this kind for the device.
    boolean exists() {
        try {
            return isByEventFd(info());
        } catch (VfioException e) {
            if (e.errno() == Errno.EINVAL.number()) {
                return false;
            }
            throw e;
        }
    }

    /// Connects an eventfd, to which the kernel adds 1 at each interrupt.
    ///
    /// @throws GpuDeviceException if the device has no such interrupt
    void connect(int eventDescriptor) {
        Structs.IrqInfo info = info();
        if (!isByEventFd(info)) {
            throw new GpuDeviceException(
                    "%s: %s does not support eventfds, vectors=%d, expected at least 1"
                            .formatted(device.name(), index, info.count));
        }
        Structs.IrqSet set = set(Structs.IrqSet.DATA_EVENTFD | Structs.IrqSet.ACTION_TRIGGER, 1);
        set.eventfd = eventDescriptor;
        device.call(VfioIoctl.VFIO_DEVICE_SET_IRQS, set);
    }

    /// Disconnects the interrupt; no signal is in flight after this method returns.
    void disconnect() {
        device.call(
                VfioIoctl.VFIO_DEVICE_SET_IRQS,
                set(Structs.IrqSet.DATA_NONE | Structs.IrqSet.ACTION_TRIGGER, 0));
    }

    /// Unmasks the interrupt.
    void unmask() {
        device.call(
                VfioIoctl.VFIO_DEVICE_SET_IRQS,
                set(Structs.IrqSet.DATA_NONE | Structs.IrqSet.ACTION_UNMASK, 1));
    }

    private Structs.IrqInfo info() {
        Structs.IrqInfo info = new Structs.IrqInfo();
        info.fillSize();
        info.index = index.number;
        device.call(VfioIoctl.VFIO_DEVICE_GET_IRQ_INFO, info);
        return info;
    }

    private static boolean isByEventFd(Structs.IrqInfo info) {
        return info.count > 0 && (info.flags & Structs.IrqInfo.EVENTFD) != 0;
    }

    private Structs.IrqSet set(int flags, int count) {
        Structs.IrqSet set = new Structs.IrqSet();
        set.fillSize();
        set.flags = flags;
        set.index = index.number;
        set.count = count;
        return set;
    }
}
