package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.Errno;

/// One kind of interrupt of a device, with its first vector, or of notices that the kernel sends in
/// the same way.
///
/// Confined to one thread.
final class VfioIrq {
    /// Which one, under the kernel's name and number.
    enum Index {
        VFIO_PCI_INTX_IRQ_INDEX(0),
        VFIO_PCI_MSI_IRQ_INDEX(1),

        /// The bus has reported an error of the device's. Only PCI Express has such reports.
        VFIO_PCI_ERR_IRQ_INDEX(3),

        /// The kernel wants the device back, and waits until it has it.
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

    /// Whether the kernel has this kind for the device.
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

    /// Has the kernel add 1 to an eventfd at each interrupt.
    ///
    /// @throws GpuDeviceException if the device has no such interrupt
    void connect(int eventDescriptor) {
        Structs.IrqInfo info = info();
        if (!isByEventFd(info)) {
            throw new GpuDeviceException(
                    "%s: no %s by eventfd, vectors=%d".formatted(device.name(), index, info.count));
        }
        Structs.IrqSet set = set(Structs.IrqSet.DATA_EVENTFD | Structs.IrqSet.ACTION_TRIGGER, 1);
        set.eventfd = eventDescriptor;
        device.call(VfioIoctl.VFIO_DEVICE_SET_IRQS, set);
    }

    /// Frees the interrupt; when this returns, no signal is under way.
    void disconnect() {
        device.call(
                VfioIoctl.VFIO_DEVICE_SET_IRQS,
                set(Structs.IrqSet.DATA_NONE | Structs.IrqSet.ACTION_TRIGGER, 0));
    }

    /// Lets the interrupt come again.
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
