package io.gpuvm.doctor;

import static io.gpuvm.doctor.Finding.missing;
import static io.gpuvm.doctor.Finding.ok;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Check of DMA isolation by an IOMMU, without which the kernel assigns no device to a process.
///
/// Sources: `Documentation/admin-guide/kernel-parameters.txt` (`intel_iommu`, `amd_iommu`,
/// `iommu`); ACPI tables DMAR (Intel VT-d specification, section 8) and IVRS (AMD I/O
/// Virtualization Technology specification, section 5); `drivers/iommu/intel/iommu.h` (`ecap_ir`).
final class IommuCheck {
    private static final String POINT = "IOMMU";
    private static final String UNITS = "sys/class/iommu";
    private static final String GROUPS = "sys/kernel/iommu_groups";
    private static final String TABLES = "sys/firmware/acpi/tables";
    private static final String INTEL_TABLE = "DMAR";
    private static final String AMD_TABLE = "IVRS";
    private static final String INTEL_ON = "intel_iommu=on";

    /// Kernel parameters that disable an IOMMU.
    private static final Set<String> OFF = Set.of("intel_iommu=off", "amd_iommu=off", "iommu=off");

    /// Bit of an Intel unit's extended capabilities: support for interrupt remapping.
    private static final int ECAP_INTERRUPTS = 1 << 3;

    private static final int HEX = 16;

    private IommuCheck() {}

    static Finding of(Host host) {
        int groups = host.names(GROUPS).size();
        List<String> units = host.names(UNITS);
        if (groups == 0) {
            return whyOff(host);
        }
        List<String> open = units.stream().filter(unit -> !remapsInterrupts(host, unit)).toList();
        boolean allowed =
                host.text("sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts")
                        .equals("Y");
        if (!open.isEmpty() && !allowed) {
            return missing(
                    POINT,
                    "%s cannot prevent a guest from forging interrupts; the kernel assigns no card"
                            .formatted(String.join(", ", open)),
                    "modprobe -r vfio_iommu_type1; modprobe vfio_iommu_type1 allow_unsafe_interrupts=1  # only if you trust all guests");
        }
        return ok(
                POINT,
                "on: %s, %d groups"
                        .formatted(units.isEmpty() ? "?" : String.join(", ", units), groups));
    }

    private static Finding whyOff(Host host) {
        List<String> words = Arrays.asList(host.text("proc/cmdline").split("\\s+"));
        List<String> tables = host.names(TABLES);
        List<String> off = words.stream().filter(OFF::contains).toList();
        if (!off.isEmpty()) {
            return missing(
                    POINT,
                    "off: the kernel's command line contains %s".formatted(String.join(" ", off)),
                    off.stream()
                            .map(word -> "sed -i 's/%s/%s/'".formatted(word, onFor(word)))
                            .findFirst()
                            .map(command -> command + " /etc/default/grub && update-grub && reboot")
                            .orElseThrow());
        }
        if (tables.contains(INTEL_TABLE) && !words.contains(INTEL_ON)) {
            return missing(
                    POINT,
                    "off: the firmware describes an IOMMU (%s), the kernel's command line lacks %s"
                            .formatted(INTEL_TABLE, INTEL_ON),
                    "sed -i 's/^GRUB_CMDLINE_LINUX=\"/&%s /' /etc/default/grub && update-grub && reboot"
                            .formatted(INTEL_ON));
        }
        if (tables.contains(INTEL_TABLE) || tables.contains(AMD_TABLE)) {
            return missing(
                    POINT,
                    "off, although the firmware describes an IOMMU and the command line permits it",
                    "dmesg | grep -i -e DMAR -e AMD-Vi  # shows the reason");
        }
        return missing(
                POINT,
                "none: the firmware describes no IOMMU (no ACPI table %s or %s)"
                        .formatted(INTEL_TABLE, AMD_TABLE),
                "enable VT-d or AMD-Vi (\"IOMMU\") in the firmware's setup; not every machine has an IOMMU");
    }

    /// Returns the kernel parameter that enables the IOMMU, as the replacement for a parameter that
    /// disables it.
    private static String onFor(String word) {
        return switch (word) {
            case "intel_iommu=off" -> INTEL_ON;
            case "amd_iommu=off" -> "amd_iommu=on";
            default -> "";
        };
    }

    /// Returns whether the IOMMU prevents devices from forging interrupt messages. Only Intel's
    /// units report this capability; units of other vendors always have it.
    private static boolean remapsInterrupts(Host host, String unit) {
        String capabilities = host.text("%s/%s/intel-iommu/ecap".formatted(UNITS, unit));
        return capabilities.isEmpty()
                || (Long.parseUnsignedLong(capabilities, HEX) & ECAP_INTERRUPTS) != 0;
    }
}
