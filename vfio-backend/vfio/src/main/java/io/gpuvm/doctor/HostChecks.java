package io.gpuvm.doctor;

import static io.gpuvm.doctor.Finding.missing;
import static io.gpuvm.doctor.Finding.note;
import static io.gpuvm.doctor.Finding.ok;
import static io.gpuvm.doctor.Finding.unknown;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks of the host as a whole: kernel, memory, limits, programs.
final class HostChecks {
    /// Major version of the first QEMU with the device vfio-user-pci.
    private static final int QEMU_MAJOR = 10;

    /// Minor version of that QEMU.
    private static final int QEMU_MINOR = 1;

    /// Name of the QEMU program for guests with this processor's architecture.
    private static final String QEMU = "qemu-system-x86_64";

    private static final Pattern VERSION = Pattern.compile("version (\\d+)\\.(\\d+)\\S*");

    /// Memory that the backend locks for itself, in bytes: page tables of the BARs, the runlist, a
    /// channel.
    private static final long OWN_LOCKED_BYTES = 2L << 20;

    /// Capability IPC_LOCK (`include/uapi/linux/capability.h`), which exempts a process from the
    /// limit on locked memory.
    private static final int CAP_IPC_LOCK = 14;

    private static final int HEX = 16;
    private static final int KIB_PER_MIB = 1024;
    private static final int MIB_SHIFT = 20;

    private static final String STATUS = "proc/self/status";
    private static final String MEMINFO = "proc/meminfo";
    private static final String MAX_LOCKED = "Max locked memory";

    private HostChecks() {}

    /// @param arenaBytes memory locked for each guest in addition to the guest's own memory, in
    ///   bytes
    static List<Finding> all(Host host, long arenaBytes) {
        return List.of(
                kernel(host),
                processors(host),
                memory(host),
                IommuCheck.of(host),
                driver(host),
                container(host),
                lockedMemory(host, arenaBytes),
                hugePages(host),
                qemu(host),
                kvm(host));
    }

    static Finding kernel(Host host) {
        String release = host.text("proc/sys/kernel/osrelease");
        return release.isEmpty()
                ? unknown("kernel", "no /proc/sys/kernel/osrelease", "mount -t proc proc /proc")
                : ok("kernel", "Linux " + release);
    }

    static Finding processors(Host host) {
        long processors =
                host.text("proc/cpuinfo").lines().filter(l -> l.startsWith("processor")).count();
        String found = processors + (processors == 1 ? " processor" : " processors");
        return processors == 1
                ? note("processors", found + "; the backend's threads compete with the guests")
                : ok("processors", found);
    }

    static Finding memory(Host host) {
        return ok(
                "memory",
                "%d MiB, of which %d MiB are free"
                        .formatted(mib(host, "MemTotal:"), mib(host, "MemAvailable:")));
    }

    /// Checks huge pages: a guest's memory in huge pages needs only one mapping per piece, and
    /// causes fewer misses in the IOMMU's TLB.
    static Finding hugePages(Host host) {
        String point = "huge pages";
        long total = number(host.line(MEMINFO, "HugePages_Total:"));
        long free = number(host.line(MEMINFO, "HugePages_Free:"));
        long kib = number(host.line(MEMINFO, "Hugepagesize:"));
        if (total == 0) {
            return note(
                    point,
                    "none reserved; guests work without them, but the IOMMU needs more entries",
                    "sysctl vm.nr_hugepages=512");
        }
        return ok(point, "%d pages of %d KiB, %d free".formatted(total, kib, free));
    }

    static Finding driver(Host host) {
        boolean card = host.has("sys/bus/pci/drivers/vfio-pci");
        boolean iommu = host.has("sys/module/vfio_iommu_type1");
        String point = "modules";
        if (card && iommu) {
            return ok(point, "vfio-pci and vfio_iommu_type1 are loaded");
        }
        String names = (card ? "" : " vfio-pci") + (iommu ? "" : " vfio_iommu_type1");
        return missing(point, "not loaded:%s".formatted(names), "modprobe -a%s".formatted(names));
    }

    static Finding container(Host host) {
        String file = "/dev/vfio/vfio";
        String path = file.substring(1);
        if (!host.has(path)) {
            return missing(file, "does not exist", "modprobe vfio");
        }
        return host.mayUse(path)
                ? ok(file, "accessible to %s".formatted(host.user()))
                : missing(file, "not accessible to %s".formatted(host.user()), "chmod 666 " + file);
    }

    /// Checks the limit of locked memory: all memory that the card can access is locked, and counts
    /// towards this limit.
    static Finding lockedMemory(Host host, long arenaBytes) {
        String point = "memlock";
        String words = host.line("proc/self/limits", MAX_LOCKED);
        if (words.isEmpty()) {
            return unknown(point, "no /proc/self/limits", "mount -t proc proc /proc");
        }
        if (isPrivileged(host)) {
            return ok(point, "no limit: this process has CAP_IPC_LOCK");
        }
        String soft = words.split("\\s+")[0];
        if (soft.equals("unlimited")) {
            return ok(point, "unlimited");
        }
        long bytes = number(soft);
        long least = OWN_LOCKED_BYTES + arenaBytes;
        String fix =
                "ulimit -l unlimited; permanently: echo '%s - memlock unlimited' >> /etc/security/limits.conf, or LimitMEMLOCK=infinity in a unit of systemd"
                        .formatted(host.user());
        return bytes < least
                ? missing(
                        point,
                        "%d KiB for %s, expected at least %d KiB for one guest with an arena of %d MiB (arena= can set less), plus the guest's memory"
                                .formatted(
                                        bytes / KIB_PER_MIB,
                                        host.user(),
                                        least / KIB_PER_MIB,
                                        arenaBytes >> MIB_SHIFT),
                        fix)
                : note(
                        point,
                        "%d MiB for %s: the memory of all guests must fit, and the arena of each, %d MiB unless arena= sets less"
                                .formatted(
                                        bytes >> MIB_SHIFT, host.user(), arenaBytes >> MIB_SHIFT),
                        fix);
    }

    /// Checks QEMU: guests in virtual machines need it; paravirtual guests that are host programs
    /// do not.
    static Finding qemu(Host host) {
        String point = "QEMU";
        String newer = "install QEMU %d.%d or newer".formatted(QEMU_MAJOR, QEMU_MINOR);
        Optional<String> said = host.qemuVersion().apply(QEMU);
        if (said.isEmpty()) {
            return note(
                    point,
                    "no %s on the path; only programs of this host can be guests".formatted(QEMU),
                    newer + "; on Debian 13: apt install -t trixie-backports qemu-system-x86");
        }
        Matcher version = VERSION.matcher(said.get());
        if (!version.find()) {
            return unknown(point, said.get(), newer);
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        boolean old = major < QEMU_MAJOR || major == QEMU_MAJOR && minor < QEMU_MINOR;
        return old
                ? note(
                        point,
                        "%d.%d, expected %d.%d or newer: no vfio-user-pci, so only programs of this host can be guests"
                                .formatted(major, minor, QEMU_MAJOR, QEMU_MINOR),
                        newer)
                : ok(point, "%d.%d has vfio-user-pci".formatted(major, minor));
    }

    static Finding kvm(Host host) {
        String file = "/dev/kvm";
        if (!host.has(file.substring(1))) {
            return note(
                    "KVM",
                    "no /dev/kvm; guests in virtual machines are emulated and slow",
                    "modprobe kvm-intel || modprobe kvm-amd");
        }
        if (!Pattern.compile("^flags.*\\b(vmx|svm)\\b", Pattern.MULTILINE)
                .matcher(host.text("proc/cpuinfo"))
                .find()) {
            return note(
                    "KVM",
                    file
                            + " without hardware virtualization (vmx, svm); guests in virtual machines"
                            + " are emulated and slow");
        }
        return host.mayUse(file.substring(1))
                ? ok("KVM", "%s may open %s".formatted(host.user(), file))
                : note(
                        "KVM",
                        "%s may not open %s; guests in virtual machines are emulated and slow"
                                .formatted(host.user(), file),
                        "usermod -aG kvm " + host.user());
    }

    private static boolean isPrivileged(Host host) {
        String effective = host.line(STATUS, "CapEff:");
        return !effective.isEmpty()
                && (Long.parseUnsignedLong(effective, HEX) >> CAP_IPC_LOCK & 1) != 0;
    }

    private static long mib(Host host, String beginning) {
        return number(host.line(MEMINFO, beginning)) / KIB_PER_MIB;
    }

    /// Returns the number at the beginning of a text, 0 if there is none.
    private static long number(String text) {
        String digits = text.split("\\s+")[0];
        return digits.isEmpty() || !digits.chars().allMatch(Character::isDigit)
                ? 0
                : Long.parseLong(digits);
    }
}
