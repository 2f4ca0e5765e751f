package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;

/// Device that the kernel has assigned to this process: container, group, device file.
///
/// Confined to one thread.
final class VfioDevice implements AutoCloseable {
    private final VfioContainer container;
    private final VfioGroup group;
    private final KernelFile file;

    private VfioDevice(VfioContainer container, VfioGroup group, KernelFile file) {
        this.container = container;
        this.group = group;
        this.file = file;
    }

    /// Opens a device in an IOMMU address space of its own.
    ///
    /// @throws GpuDeviceException if the kernel refuses to assign the device, or cannot reset it
    static VfioDevice open(PciAddress address) {
        TakingCheck check = TakingCheck.of(address);
        check.group();
        VfioContainer container = VfioContainer.open(check);
        VfioGroup group = null;
        KernelFile file = null;
        try {
            group = VfioGroup.open(check, address);
            group.join(container);
            container.startIommu();
            file = group.openDevice();
            checkInfo(file);
            return new VfioDevice(container, group, file);
        } catch (RuntimeException e) {
            close(container, group, file);
            throw e;
        }
    }

    VfioContainer container() {
        return container;
    }

    KernelFile file() {
        return file;
    }

    /// Resets the function; the kernel preserves its configuration space.
    void reset() {
        file.call(VfioIoctl.VFIO_DEVICE_RESET, 0);
    }

    @Override
    public void close() {
        close(container, group, file);
    }

    private static void checkInfo(KernelFile file) {
        Structs.DeviceInfo info = new Structs.DeviceInfo();
        info.fillSize();
        file.call(VfioIoctl.VFIO_DEVICE_GET_INFO, info);
        if ((info.flags & Structs.DeviceInfo.PCI) == 0) {
            throw new GpuDeviceException("%s: not a PCI device".formatted(file.name()));
        }
        if ((info.flags & Structs.DeviceInfo.RESET) == 0) {
            throw new GpuDeviceException(
                    "%s: the kernel cannot reset this device separately".formatted(file.name()));
        }
    }

    private static void close(VfioContainer container, VfioGroup group, KernelFile file) {
        if (file != null) {
            file.close();
        }
        if (group != null) {
            group.close();
        }
        container.close();
    }
}
