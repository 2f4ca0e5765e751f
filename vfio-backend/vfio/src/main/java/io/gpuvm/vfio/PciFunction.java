package io.gpuvm.vfio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// View of a PCI function in sysfs, which is read at each call; available to any user.
///
/// Sources: `Documentation/ABI/testing/sysfs-bus-pci`, `drivers/pci/pci-sysfs.c`.
public final class PciFunction {
    /// Name of the driver that gives a program access to a function.
    public static final String VFIO_DRIVER = "vfio-pci";

    /// Drivers that do not prevent the assignment of the other functions of their group, because
    /// they do not let their devices access memory (`driver_managed_dma` in
    /// `drivers/vfio/pci/vfio_pci.c`, `drivers/pci/pci-stub.c`, `drivers/pci/pcie/portdrv.c`).
    private static final Set<String> HARMLESS_DRIVERS = Set.of(VFIO_DRIVER, "pci-stub", "pcieport");

    private static final Path DEVICES = Path.of("sys/bus/pci/devices");
    private static final int BASE_CLASS_SHIFT = 16;
    private static final int BASE_CLASS_BRIDGE = 0x06;

    private final Path root;
    private final PciAddress address;

    /// @param root folder that contains `sys`; `/` on a host
    public PciFunction(Path root, PciAddress address) {
        this.root = root;
        this.address = address;
    }

    /// Returns all functions of a host, by address; none if the host has no PCI.
    public static List<PciFunction> all(Path root) {
        return at(root, root.resolve(DEVICES));
    }

    /// Returns the functions that a folder of sysfs lists.
    private static List<PciFunction> at(Path root, Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> functions = Files.list(folder)) {
            return functions
                    .map(function -> function.getFileName().toString())
                    .sorted()
                    .map(name -> new PciFunction(root, PciAddress.parse(name)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public PciAddress address() {
        return address;
    }

    /// Returns the function's folder in sysfs.
    public Path folder() {
        return root.resolve(DEVICES).resolve(address.toString());
    }

    public boolean exists() {
        return Files.isDirectory(folder());
    }

    /// Returns the name of the function's driver; empty if it has none.
    public Optional<String> driver() {
        return linkTarget("driver");
    }

    /// Returns the number of the function's IOMMU group; empty if it is not behind an IOMMU.
    public Optional<String> group() {
        return linkTarget("iommu_group");
    }

    /// Returns the functions of the IOMMU group, including this one, by address; none without a
    /// group.
    public List<PciFunction> groupMembers() {
        return at(root, folder().resolve("iommu_group").resolve("devices"));
    }

    /// Returns the other functions of the group whose drivers belong to the host: while there are
    /// any, the kernel assigns the group to no process.
    public List<PciFunction> groupMembersInUse() {
        return groupMembers().stream()
                .filter(member -> !member.address.equals(address))
                .filter(member ->
                        member.driver()
                                .filter(name -> !HARMLESS_DRIVERS.contains(name))
                                .isPresent())
                .toList();
    }

    /// Returns whether the function is a bridge, which cannot be assigned to a program.
    public boolean isBridge() {
        return classCode() >> BASE_CLASS_SHIFT == BASE_CLASS_BRIDGE;
    }

    /// Returns the base class, subclass and programming interface, 8 bits each.
    public int classCode() {
        return number("class");
    }

    /// Returns the value of a numeric attribute, in C notation such as hexadecimal.
    ///
    /// @return the value, -1 if there is no such attribute
    public int number(String attribute) {
        return text(attribute).map(Integer::decode).orElse(-1);
    }

    /// Returns the text of an attribute; empty if there is none, or if this user may not read it.
    public Optional<String> text(String attribute) {
        try {
            return Optional.of(Files.readString(folder().resolve(attribute)).strip());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// Returns `ADDRESS (DRIVER)`.
    @Override
    public String toString() {
        return "%s (%s)".formatted(address, driver().orElse("no driver"));
    }

    private Optional<String> linkTarget(String link) {
        try {
            Path target = Files.readSymbolicLink(folder().resolve(link));
            return Optional.of(target.getFileName().toString());
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
