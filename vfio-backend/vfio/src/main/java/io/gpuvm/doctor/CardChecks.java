package io.gpuvm.doctor;

import static io.gpuvm.doctor.Finding.missing;
import static io.gpuvm.doctor.Finding.note;
import static io.gpuvm.doctor.Finding.ok;
import static io.gpuvm.doctor.Finding.unknown;

import io.gpuvm.gf100.device.Quadro6000;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.vfio.PciFunction;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Checks of one card.
final class CardChecks {
    private static final int VGA_CONTROLLER = 0x0300;
    private static final int CONTROLLER_3D = 0x0302;
    private static final int INTERFACE_BITS = 8;
    private static final int MIB_SHIFT = 20;
    private static final String GROUP_POINT = "group";
    private static final String RESET_POINT = "reset";

    private CardChecks() {}

    /// Returns whether a function is a candidate for sharing: an NVIDIA display controller.
    static boolean isCandidate(PciFunction function) {
        int kind = function.classCode() >> INTERFACE_BITS;
        return function.number("vendor") == Quadro6000.VENDOR
                && (kind == VGA_CONTROLLER || kind == CONTROLLER_3D);
    }

    static List<Finding> all(Host host, PciFunction card) {
        List<Finding> findings = new ArrayList<>();
        findings.add(chip(card));
        findings.add(bars(card));
        findings.add(reset(card));
        findings.add(group(card));
        findings.add(neighbours(card));
        findings.add(driver(card));
        display(host, card).ifPresent(findings::add);
        card.group()
                .ifPresent(group -> {
                    findings.add(groupFile(host, card, "/dev/vfio/" + group));
                    users(host, "/dev/vfio/" + group).ifPresent(findings::add);
                });
        return findings;
    }

    static Finding chip(PciFunction card) {
        String point = "chip";
        int vendor = card.number("vendor");
        int device = card.number("device");
        String ids = "%04x:%04x".formatted(vendor, device);
        if (!isCandidate(card)) {
            return missing(
                    point,
                    "%s, class %06x, is not an NVIDIA GPU".formatted(ids, card.classCode()),
                    "gpuvm doctor  # lists the cards of this host");
        }
        Optional<Chip> chip = Chip.of(device);
        if (chip.isEmpty() || chip.get() != Chip.GF100) {
            String what =
                    chip.map(c -> c + ", a chip of the GF100's family").orElse("another chip");
            return missing(
                    point,
                    "%s is %s, expected GF100".formatted(ids, what),
                    "use the software GPU: --gpu soft");
        }
        int board = card.number("subsystem_vendor");
        if (board == Quadro6000.SUBSYSTEM_VENDOR) {
            return ok(point, "%s is a software GF100, as a PCI card".formatted(ids));
        }
        return missing(
                point,
                "%s is a real GF100, on a board of vendor %04x, which gpuvm cannot initialize (docs/hardware.md)"
                        .formatted(ids, board),
                "use the software GPU: --gpu soft");
    }

    static Finding bars(PciFunction card) {
        String point = "BARs";
        List<PciResource> bars = PciResource.bars(card);
        if (bars.size() < 2) {
            return unknown(
                    point, "no file 'resource' in " + card.folder(), "mount -t sysfs sysfs /sys");
        }
        PciResource registers = bars.get(0);
        PciResource vram = bars.get(1);
        List<Integer> unplaced =
                IntStream.range(0, bars.size())
                        .filter(i -> bars.get(i).isUnplaced())
                        .boxed()
                        .toList();
        if (!unplaced.isEmpty()) {
            return missing(
                    point,
                    "the firmware assigned no address to BAR %s".formatted(join(unplaced)),
                    "enable \"Above 4G decoding\" in the firmware's setup, or boot with pci=realloc");
        }
        if (!registers.isMemory() || registers.bytes() < Register.SPACE_BYTES || !vram.isMemory()) {
            return missing(
                    point,
                    "BAR0 has %d MiB, BAR1 %d MiB, expected BAR0 of %d MiB and a BAR1"
                            .formatted(
                                    registers.bytes() >> MIB_SHIFT,
                                    vram.bytes() >> MIB_SHIFT,
                                    Register.SPACE_BYTES >> MIB_SHIFT),
                    "use the software GPU: --gpu soft");
        }
        return ok(
                point,
                IntStream.range(0, bars.size())
                        .filter(i -> bars.get(i).bytes() > 0 && bars.get(i).isMemory())
                        .mapToObj(i ->
                                "%d: %d MiB%s"
                                        .formatted(
                                                i,
                                                bars.get(i).bytes() >> MIB_SHIFT,
                                                bars.get(i).is64Bit() ? " (64 bit)" : ""))
                        .collect(Collectors.joining(", ")));
    }

    static Finding reset(PciFunction card) {
        Optional<String> methods = card.text("reset_method");
        if (methods.filter(text -> !text.isEmpty()).isPresent()) {
            return ok(RESET_POINT, "the kernel can reset the card separately: " + methods.get());
        }
        return Files.exists(card.folder().resolve("reset"))
                ? ok(RESET_POINT, "the kernel can reset the card separately")
                : missing(
                        RESET_POINT,
                        "the kernel cannot reset the card separately",
                        "move the card to a slot that can be reset: a separate slot with no other function in use");
    }

    static Finding group(PciFunction card) {
        return card.group()
                .map(number -> ok(GROUP_POINT, "IOMMU group " + number))
                .orElseGet(() ->
                        missing(GROUP_POINT, "not behind an IOMMU", "see the item IOMMU above"));
    }

    /// Checks the other functions of the card's IOMMU group: the kernel assigns a group only as a
    /// whole.
    static Finding neighbours(PciFunction card) {
        String point = "neighbours";
        List<PciFunction> others =
                card.groupMembers().stream()
                        .filter(member -> !member.address().equals(card.address()))
                        .toList();
        if (others.isEmpty()) {
            return ok(point, card.group().isPresent() ? "alone in its group" : "no group");
        }
        List<PciFunction> inUse = card.groupMembersInUse();
        return inUse.isEmpty()
                ? ok(point, "in the card's group, and not used by the host: " + join(others))
                : missing(
                        point,
                        "in the card's group, and used by the host: " + join(inUse),
                        bindCommand(card));
    }

    static Finding driver(PciFunction card) {
        String point = "driver";
        String driver = card.driver().orElse("none");
        return driver.equals(PciFunction.VFIO_DRIVER)
                ? ok(point, driver)
                : missing(
                        point,
                        "%s, expected=%s".formatted(driver, PciFunction.VFIO_DRIVER),
                        bindCommand(card));
    }

    /// Returns the command that binds the card to vfio-pci in the current state of the host.
    private static String bindCommand(PciFunction card) {
        String command = "gpuvm bind " + card.address();
        return card.groupMembersInUse().isEmpty() ? command : command + " --whole-group";
    }

    /// Reports that the host loses a display if the card is bound.
    static Optional<Finding> display(Host host, PciFunction card) {
        return ConsoleUse.of(host, card)
                .map(use ->
                        note(
                                "display",
                                use,
                                "gpuvm bind %s --boot-display  # that display goes dark"
                                        .formatted(card.address())));
    }

    static Finding groupFile(Host host, PciFunction card, String file) {
        String path = file.substring(1);
        if (!host.has(path)) {
            return missing(
                    file, "does not exist before the card is bound to vfio-pci", bindCommand(card));
        }
        return host.mayUse(path)
                ? ok(file, "accessible to %s".formatted(host.user()))
                : missing(
                        file,
                        "not accessible to %s".formatted(host.user()),
                        "chown %s %s".formatted(host.user(), file));
    }

    /// Reports the processes that use the card, because they have the group's file open.
    static Optional<Finding> users(Host host, String file) {
        List<String> users = OpenFiles.of(host.root(), Set.of(file));
        return users.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        missing(
                                "in use",
                                "open in process %s".formatted(String.join(", ", users)),
                                "terminate the process: kill %s"
                                        .formatted(
                                                users.stream()
                                                        .map(user -> user.split(" ")[0])
                                                        .collect(Collectors.joining(" ")))));
    }

    private static String join(List<?> things) {
        return things.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
