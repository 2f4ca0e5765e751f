package io.gpuvm.cli;

import io.gpuvm.binding.Binder;
import io.gpuvm.binding.Sysfs;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.doctor.Host;
import io.gpuvm.vfio.PciAddress;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options common to `bind` and `unbind`.
final class BindingOptions {
    private static final Path STATE = Path.of("gpuvm/bind");

    @Parameters(
            paramLabel = "ADDRESS",
            converter = CardAddress.class,
            description = "PCI address of the card, as 'lspci -D' and 'gpuvm doctor' print it.")
    private PciAddress address;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Folder in which bind records former drivers for unbind. Default:"
                            + " /run/gpuvm/bind for root, else gpuvm/bind in $XDG_RUNTIME_DIR.")
    private Path state;

    @Option(
            names = "--dry-run",
            description = "List of the equivalent commands; nothing is changed.")
    private boolean dryRun;

    PciAddress address() {
        return address;
    }

    boolean isDryRun() {
        return dryRun;
    }

    /// @throws ConfigException if there is no default folder for the records
    Binder binder(PrintWriter out) {
        Host host = Host.here();
        return new Binder(
                host,
                state == null ? usualState(host) : state,
                Sysfs.KERNEL,
                line -> {
                    out.println(line);
                    out.flush();
                });
    }

    private static Path usualState(Host host) {
        if (host.isRoot()) {
            return Path.of("/run").resolve(STATE);
        }
        String folder = System.getenv("XDG_RUNTIME_DIR");
        if (folder == null || folder.isEmpty()) {
            throw new ConfigException(
                    "no folder for the records, expected --state or $XDG_RUNTIME_DIR");
        }
        return Path.of(folder).resolve(STATE);
    }
}
