package io.gpuvm.vfio;

import com.sun.jna.Memory;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The devices that the IOMMU cannot tell apart: they are taken together or not at all.
///
/// Confined to one thread.
final class VfioGroup implements AutoCloseable {
    private static final String DRIVER = "vfio-pci";

    private final PciAddress address;
    private final KernelFile file;

    private VfioGroup(PciAddress address, KernelFile file) {
        this.address = address;
        this.file = file;
    }

    /// Opens the group of a device.
    ///
    /// @throws GpuDeviceException if there is no such device, if it is not bound to vfio-pci, if
    ///   there is no IOMMU, or if another device of the group is in use by the host; the message
    ///   says what to do
    static VfioGroup open(PciAddress address) {
        checkDriver(address);
        Path link = address.folder().resolve("iommu_group");
        if (!Files.exists(link)) {
            throw new GpuDeviceException(
                    "%s: not behind an IOMMU; enable it in the firmware and with the kernel parameter intel_iommu=on or amd_iommu=on"
                            .formatted(address));
        }
        KernelFile file = openFile(address, "/dev/vfio/" + target(link));
        try {
            Structs.GroupStatus status = new Structs.GroupStatus();
            status.fillSize();
            file.call(Request.VFIO_GROUP_GET_STATUS, status);
            if ((status.flags & Structs.GroupStatus.VIABLE) == 0) {
                throw new GpuDeviceException(
                        "%s: %s is not viable: every device of it must be bound to %s or to no driver: %s"
                                .formatted(address, file.name(), DRIVER, members(link)));
            }
            return new VfioGroup(address, file);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /// Puts the group into an address space, which it leaves when it is closed.
    void join(VfioContainer container) {
        Memory descriptor = new Memory(Integer.BYTES);
        descriptor.setInt(0, container.descriptor());
        file.call(Request.VFIO_GROUP_SET_CONTAINER, descriptor);
    }

    /// Opens the device.
    KernelFile openDevice() {
        byte[] text = address.toString().getBytes(StandardCharsets.US_ASCII);
        Memory name = new Memory(text.length + 1L);
        name.write(0, text, 0, text.length);
        name.setByte(text.length, (byte) 0);
        return new KernelFile(
                address.toString(), file.call(Request.VFIO_GROUP_GET_DEVICE_FD, name));
    }

    @Override
    public void close() {
        file.close();
    }

    private static KernelFile openFile(PciAddress address, String path) {
        try {
            return KernelFile.open(path);
        } catch (VfioException e) {
            if (e.errno() != Errno.EBUSY.number()) {
                throw e;
            }
            throw new GpuDeviceException(
                    "%s: in use; another process has it, or has a part of it mapped: %s"
                            .formatted(address, e.getMessage()),
                    e);
        }
    }

    private static void checkDriver(PciAddress address) {
        if (!Files.isDirectory(address.folder())) {
            throw new GpuDeviceException("%s: no such PCI device".formatted(address));
        }
        String driver = driverOf(address.folder());
        if (!driver.equals(DRIVER)) {
            throw new GpuDeviceException(
                    "%s: bound to %s, not to %s; bind it with: echo %s > %s/driver_override; echo %s > %s/driver/unbind; echo %s > /sys/bus/pci/drivers_probe"
                            .formatted(
                                    address,
                                    driver,
                                    DRIVER,
                                    DRIVER,
                                    address.folder(),
                                    address,
                                    address.folder(),
                                    address));
        }
    }

    private static String driverOf(Path device) {
        Path link = device.resolve("driver");
        return Files.exists(link) ? target(link) : "no driver";
    }

    private static List<String> members(Path group) {
        try (Stream<Path> devices = Files.list(group.resolve("devices"))) {
            return devices.map(device -> device.getFileName() + "=" + driverOf(device))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What a symbolic link of sysfs points to, without the folders above.
    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).getFileName().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
