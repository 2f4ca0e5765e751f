package io.gpuvm.doctor;

import io.gpuvm.vfio.PciFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The host's use of a card's display, which goes dark when the card is bound to vfio-pci.
///
/// Sources: `Documentation/ABI/testing/sysfs-bus-pci` (`boot_vga`),
/// `Documentation/driver-api/console.rst` (`vtconsole`).
public final class ConsoleUse {
    private static final String CONSOLES = "sys/class/vtconsole";
    private static final String FRAME_BUFFERS = "sys/class/graphics";
    private static final String VGA_TEXT = "VGA+";

    private ConsoleUse() {}

    /// Returns the host's use of the card's display; empty if the host does not use it, or if the
    /// card is already bound to vfio-pci.
    public static Optional<String> of(Host host, PciFunction card) {
        Optional<String> driver = card.driver();
        if (driver.filter(PciFunction.VFIO_DRIVER::equals).isPresent()) {
            return Optional.empty();
        }
        boolean first = card.number("boot_vga") == 1;
        if (first && driver.isPresent()) {
            return Optional.of("boot display (boot_vga=1), driven by %s".formatted(driver.get()));
        }
        if (first && host.names(CONSOLES).stream().anyMatch(name -> isVgaText(host, name))) {
            return Optional.of("boot display (boot_vga=1), with a text console");
        }
        List<String> buffers =
                host.names(FRAME_BUFFERS).stream()
                        .filter(name -> isOn(host.at(FRAME_BUFFERS).resolve(name), card))
                        .toList();
        if (!buffers.isEmpty()) {
            return Optional.of(
                    "display with frame buffer %s".formatted(String.join(", ", buffers)));
        }
        Set<String> nodes =
                children(card.folder().resolve("drm")).stream()
                        .map(name -> "/dev/dri/" + name)
                        .collect(Collectors.toSet());
        List<String> users = nodes.isEmpty() ? List.of() : OpenFiles.of(host.root(), nodes);
        return users.isEmpty()
                ? Optional.empty()
                : Optional.of("display used by %s".formatted(String.join(", ", users)));
    }

    private static boolean isVgaText(Host host, String console) {
        String folder = CONSOLES + "/" + console;
        return host.text(folder + "/name").contains(VGA_TEXT)
                && host.text(folder + "/bind").equals("1");
    }

    private static boolean isOn(Path frameBuffer, PciFunction card) {
        try {
            return Files.readSymbolicLink(frameBuffer.resolve("device"))
                    .endsWith(card.address().toString());
        } catch (IOException _) {
            return false;
        }
    }

    private static List<String> children(Path folder) {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException _) {
            return List.of();
        }
    }
}
