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

/// What concerns one card.
final class CardChecks {
    private static final int VGA_CONTROLLER = 0x0300;
    private static final int CONTROLLER_3D = 0x0302;
    private static final int INTERFACE_BITS = 8;
    private static final int MIB_SHIFT = 20;
    private static final String GROUP_POINT = "group";
    private static final String RESET_POINT = "reset";

    private CardChecks() {}

    /// Whether somebody may want to share this function: NVIDIA's display controllers.
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
                    "%s, class %06x, is no GPU of NVIDIA's".formatted(ids, card.classCode()),
                    "gpuvm doctor  # lists what this host has");
        }
        Optional<Chip> chip = Chip.of(device);
        if (chip.isEmpty() || chip.get() != Chip.GF100) {
            String what =
                    chip.map(c -> c + ", a chip of the GF100's family").orElse("another chip");
            return missing(
                    point,
                    "%s is %s, limit=GF100".formatted(ids, what),
                    "use the software GPU: --gpu soft");
        }
        int board = card.number("subsystem_vendor");
        if (board == Quadro6000.SUBSYSTEM_VENDOR) {
            return ok(point, "%s is a GF100 in software, as a PCI card".formatted(ids));
        }
        return missing(
                point,
                "%s is a real GF100, on a board of %04x, which nobody here can bring up (docs/hardware.md)"
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
                    "the firmware found no place for BAR %s".formatted(join(unplaced)),
                    "switch on \"Above 4G decoding\" in the firmware's setup, or boot with pci=realloc");
        }
        if (!registers.isMemory() || registers.bytes() < Register.SPACE_BYTES || !vram.isMemory()) {
            return missing(
                    point,
                    "BAR0 has %d MiB, BAR1 %d MiB, limit=BAR0 of %d MiB and a BAR1"
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
            return ok(RESET_POINT, "the kernel can reset it alone: " + methods.get());
        }
        return Files.exists(card.folder().resolve("reset"))
                ? ok(RESET_POINT, "the kernel can reset it alone")
                : missing(
                        RESET_POINT,
                        "the kernel has no way to reset it alone",
                        "put it where the slot can be reset: a slot of its own, with no other function in use");
    }

    static Finding group(PciFunction card) {
        return card.group()
                .map(number -> ok(GROUP_POINT, "IOMMU group " + number))
                .orElseGet(() ->
                        missing(GROUP_POINT, "not behind an IOMMU", "see the point IOMMU above"));
    }

    /// Who else is in the group: all of it is given away or nothing.
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
                ? ok(point, "in its group, and not in the way: " + join(others))
                : missing(
                        point,
                        "in its group, and used by the host: " + join(inUse),
                        bindCommand(card));
    }

    static Finding driver(PciFunction card) {
        String point = "driver";
        String driver = card.driver().orElse("no driver");
        return driver.equals(PciFunction.VFIO_DRIVER)
                ? ok(point, driver)
                : missing(
                        point,
                        "%s, limit=%s".formatted(driver, PciFunction.VFIO_DRIVER),
                        bindCommand(card));
    }

    /// What gives the card to vfio-pci as things are.
    private static String bindCommand(PciFunction card) {
        String command = "gpuvm bind " + card.address();
        return card.groupMembersInUse().isEmpty() ? command : command + " --whole-group";
    }

    /// Taking it away would leave a console dark.
    static Optional<Finding> display(Host host, PciFunction card) {
        return ConsoleUse.of(host, card)
                .map(use ->
                        note(
                                "display",
                                use,
                                "gpuvm bind %s --boot-display  # what is shown there goes dark"
                                        .formatted(card.address())));
    }

    static Finding groupFile(Host host, PciFunction card, String file) {
        String path = file.substring(1);
        if (!host.has(path)) {
            return missing(file, "is not there before vfio-pci has the card", bindCommand(card));
        }
        return host.mayUse(path)
                ? ok(file, "%s may open it".formatted(host.user()))
                : missing(
                        file,
                        "%s may not open it".formatted(host.user()),
                        "chown %s %s".formatted(host.user(), file));
    }

    /// Whoever has the group's file open has the card.
    static Optional<Finding> users(Host host, String file) {
        List<String> users = OpenFiles.of(host.root(), Set.of(file));
        return users.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        missing(
                                "in use",
                                "%s has it".formatted(String.join(", ", users)),
                                "end it: kill %s"
                                        .formatted(
                                                users.stream()
                                                        .map(user -> user.split(" ")[0])
                                                        .collect(Collectors.joining(" ")))));
    }

    private static String join(List<?> things) {
        return things.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
