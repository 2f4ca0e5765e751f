package io.gpuvm.vfio;

import com.sun.jna.Memory;
import io.gpuvm.gf100.device.GpuDeviceException;
import java.nio.charset.StandardCharsets;

/// Devices that the IOMMU cannot distinguish. The kernel assigns them together or not at all.
///
/// Confined to one thread.
final class VfioGroup implements AutoCloseable {
    private final PciAddress address;
    private final KernelFile file;

    private VfioGroup(PciAddress address, KernelFile file) {
        this.address = address;
        this.file = file;
    }

    /// Opens the group of a device.
    ///
    /// @throws GpuDeviceException if there is no such device, if it is not bound to vfio-pci, if
    ///   there is no IOMMU, or if the host uses another device of the group; the message names the
    ///   remedy
    static VfioGroup open(TakingCheck check, PciAddress address) {
        String path = "/dev/vfio/" + check.group();
        KernelFile file = check.openFile(path);
        try {
            Structs.GroupStatus status = new Structs.GroupStatus();
            status.fillSize();
            file.call(VfioIoctl.VFIO_GROUP_GET_STATUS, status);
            if ((status.flags & Structs.GroupStatus.VIABLE) == 0) {
                throw check.notViable(path);
            }
            return new VfioGroup(address, file);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /// Adds the group to an address space, until the group is closed.
    void join(VfioContainer container) {
        Memory descriptor = new Memory(Integer.BYTES);
        descriptor.setInt(0, container.descriptor());
        file.call(VfioIoctl.VFIO_GROUP_SET_CONTAINER, descriptor);
    }

    /// Opens the device.
    KernelFile openDevice() {
        byte[] text = address.toString().getBytes(StandardCharsets.US_ASCII);
        Memory name = new Memory(text.length + 1L);
        name.write(0, text, 0, text.length);
        name.setByte(text.length, (byte) 0);
        return new KernelFile(
                address.toString(), file.call(VfioIoctl.VFIO_GROUP_GET_DEVICE_FD, name));
    }

    @Override
    public void close() {
        file.close();
    }
}
