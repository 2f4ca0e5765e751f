package io.gpuvm.vfio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Builder of a folder that is laid out like sysfs, procfs and the device files of a host.
public final class HostTree {
    private static final Path DEVICES = Path.of("sys/bus/pci/devices");
    private static final Path DRIVERS = Path.of("sys/bus/pci/drivers");
    private static final Path GROUPS = Path.of("sys/kernel/iommu_groups");

    private final Path root;

    public HostTree(Path root) {
        this.root = root;
    }

    public Path root() {
        return root;
    }

    /// Writes a file, and creates the folders above it.
    public HostTree file(String path, String content) {
        Path file = root.resolve(path);
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public HostTree folder(String path) {
        try {
            Files.createDirectories(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /// Creates a symbolic link, in place of an existing file.
    public HostTree link(String path, Path target) {
        Path link = root.resolve(path);
        try {
            Files.createDirectories(link.getParent());
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /// Adds a PCI function without driver and group.
    ///
    /// @param classCode 24 bits, as sysfs writes it
    /// @param ids `VENDOR:DEVICE`, hexadecimal
    public HostTree function(String address, String classCode, String ids) {
        String folder = DEVICES.resolve(address).toString();
        String[] words = ids.split(":");
        return file(folder + "/class", classCode)
                .file(folder + "/vendor", "0x" + words[0])
                .file(folder + "/device", "0x" + words[1])
                .file(folder + "/driver_override", "(null)");
    }

    /// Writes an attribute of a PCI function.
    public HostTree attribute(String address, String name, String value) {
        return file(DEVICES.resolve(address).resolve(name).toString(), value);
    }

    /// Loads a driver.
    public HostTree driver(String name) {
        return folder(DRIVERS.resolve(name).toString());
    }

    /// Binds a PCI function to a driver.
    public HostTree bound(String address, String driver) {
        driver(driver);
        return link(
                DEVICES.resolve(address).resolve("driver").toString(),
                Path.of("../../../../bus/pci/drivers", driver));
    }

    /// Puts PCI functions into an IOMMU group.
    public HostTree group(int number, String... addresses) {
        Path group = GROUPS.resolve(String.valueOf(number));
        for (String address : addresses) {
            folder(group.resolve("devices").resolve(address).toString());
            link(DEVICES.resolve(address).resolve("iommu_group").toString(), root.resolve(group));
        }
        return this;
    }
}
