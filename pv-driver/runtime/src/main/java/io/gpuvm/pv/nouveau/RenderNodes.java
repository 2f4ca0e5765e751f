package io.gpuvm.pv.nouveau;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// DRM devices of nouveau. The use of a render node requires no privileges except access to the
/// node.
final class RenderNodes {
    private static final Path FOLDER = Path.of("/dev/dri");
    private static final String PREFIX = "renderD";
    private static final String DRIVER = "nouveau";

    private RenderNodes() {}

    /// Opens the first render node of nouveau.
    ///
    /// @throws TransportException if no render node belongs to nouveau; the message gives a reason
    ///   for each node
    static KernelNouveau open() {
        List<String> reasons = new ArrayList<>();
        for (Path node : nodes()) {
            try {
                return open(node);
            } catch (TransportException e) {
                reasons.add(e.getMessage());
            }
        }
        throw new TransportException(
                reasons.isEmpty()
                        ? "no render node in %s: nouveau is not loaded, or has no GPU"
                                .formatted(FOLDER)
                        : "no render node of nouveau: " + String.join("; ", reasons));
    }

    /// Opens a device.
    ///
    /// @throws TransportException if Linux refuses to open the device, or if the device's driver is
    ///   not nouveau
    static KernelNouveau open(Path node) {
        KernelNouveau device;
        try {
            device = KernelNouveau.open(node);
        } catch (LinuxException e) {
            throw new TransportException(e.getMessage(), e);
        }
        String driver;
        try {
            driver = device.driver();
        } catch (LinuxException e) {
            device.close();
            throw new TransportException(
                    "%s: name of the DRM driver: %s".formatted(node, e.getMessage()), e);
        }
        if (!driver.equals(DRIVER)) {
            device.close();
            throw new TransportException(
                    "%s: driver=%s, expected=%s".formatted(node, driver, DRIVER));
        }
        return device;
    }

    private static List<Path> nodes() {
        try (Stream<Path> all = Files.list(FOLDER)) {
            return all.filter(node -> node.getFileName().toString().startsWith(PREFIX))
                    .sorted()
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }
}
