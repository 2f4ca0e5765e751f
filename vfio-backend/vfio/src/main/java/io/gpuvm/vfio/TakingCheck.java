package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;

/// Check of the requirements for opening a card, with messages that name the remedy.
final class TakingCheck {
    private static final Path ROOT = Path.of("/");

    private final Path root;
    private final PciFunction card;

    /// @param root folder that contains `sys` and `dev`; `/` on a host
    TakingCheck(Path root, PciAddress address) {
        this.root = root;
        card = new PciFunction(root, address);
    }

    static TakingCheck of(PciAddress address) {
        return new TakingCheck(ROOT, address);
    }

    /// Checks the state in sysfs, without access to the card.
    ///
    /// @return number of the card's IOMMU group
    /// @throws GpuDeviceException if there is no such card, if it is not behind an IOMMU, or if it
    ///   is not bound to vfio-pci
    String group() {
        if (!card.exists()) {
            throw refusal("no such PCI device; gpuvm doctor lists the cards of this host");
        }
        String group =
                card.group()
                        .orElseThrow(() ->
                                refusal(
                                        "not behind an IOMMU; enable it in the firmware and with"
                                                + " the kernel parameter intel_iommu=on or"
                                                + " amd_iommu=on. 'gpuvm doctor %s' has details"
                                                        .formatted(card.address())));
        String driver = card.driver().orElse("none");
        if (!driver.equals(PciFunction.VFIO_DRIVER)) {
            throw refusal(
                    "driver=%s, expected=%s; bind the card with: gpuvm bind %s"
                            .formatted(driver, PciFunction.VFIO_DRIVER, card.address()));
        }
        return group;
    }

    /// Returns the refusal of a group that the kernel assigns to no process.
    GpuDeviceException notViable(String groupFile) {
        String others =
                card.groupMembersInUse().stream()
                        .map(PciFunction::toString)
                        .collect(Collectors.joining(", "));
        return refusal(
                "%s is not viable: the host uses other devices of this group: %s; expected each bound to %s or to no driver. To bind all of them: gpuvm bind %s --whole-group"
                        .formatted(
                                groupFile,
                                others.isEmpty() ? "none now" : others,
                                PciFunction.VFIO_DRIVER,
                                card.address()));
    }

    /// Opens a file of VFIO.
    ///
    /// @throws GpuDeviceException if the kernel refuses to open the file
    KernelFile openFile(String path) {
        try {
            return KernelFile.open(path);
        } catch (VfioException e) {
            throw notOpened(path, e);
        }
    }

    /// Returns the refusal for a file of VFIO that the kernel does not open.
    GpuDeviceException notOpened(String file, VfioException e) {
        String what = "%s: %s".formatted(card.address(), e.getMessage());
        String why =
                switch (Errno.nameOf(e.errno())) {
                    case "EACCES", "EPERM" -> noPermission(file);
                    case "EBUSY" ->
                            "in use; another process has the file open, or part of it mapped";
                    case "ENOENT", "ENODEV", "ENXIO" ->
                            "the kernel's VFIO is not loaded; load it with: modprobe vfio-pci";
                    default -> "'gpuvm doctor %s' has details".formatted(card.address());
                };
        return new GpuDeviceException("%s: %s".formatted(what, why), e);
    }

    private String noPermission(String file) {
        String user = System.getProperty("user.name");
        return "no permission for %s%s; grant it, as root: chown %s %s"
                .formatted(user, ownerOf(root.resolve(ROOT.relativize(Path.of(file)))), user, file);
    }

    private static String ownerOf(Path file) {
        try {
            PosixFileAttributes attributes =
                    Files.readAttributes(
                            file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return " (owner=%s group=%s mode=%s)"
                    .formatted(
                            attributes.owner().getName(),
                            attributes.group().getName(),
                            PosixFilePermissions.toString(attributes.permissions()));
        } catch (IOException _) {
            return "";
        }
    }

    private GpuDeviceException refusal(String text) {
        return new GpuDeviceException("%s: %s".formatted(card.address(), text));
    }
}
