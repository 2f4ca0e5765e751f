package io.gpuvm.cli;

import io.gpuvm.binding.BindOptions;
import io.gpuvm.binding.Binder;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gpuvm bind`: binds a card to vfio-pci, in place of its driver.
@Command(
        name = "bind",
        description =
                "Takes a card from the driver that has it, and gives it to vfio-pci, for 'gpuvm"
                        + " serve --gpu vfio:ADDRESS'. The former driver is remembered for 'gpuvm"
                        + " unbind'. If something goes wrong on the way, all is put back.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "It refuses bridges, devices that are no display controllers, a card that the host uses as",
            "its display, and one whose IOMMU group has other devices that the host uses.",
            "",
            "Examples, as root:",
            "  gpuvm bind --dry-run 0000:01:00.0        what would be written, and where",
            "  gpuvm bind 0000:01:00.0",
            "  gpuvm bind 0000:01:00.0 --whole-group    with its audio function, for instance",
            "",
            "Exit status: 0 done, or nothing to do, 1 refused or failed, 2 wrong arguments."
        })
final class BindCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private BindingOptions binding;

    @Option(
            names = "--whole-group",
            description =
                    "Take the other devices of the card's IOMMU group from the host, too: the"
                            + " kernel gives away all or none.")
    private boolean wholeGroup;

    @Option(
            names = "--boot-display",
            description =
                    "Take the card even if the host shows its console, or a desktop, on it; that"
                            + " goes dark.")
    private boolean display;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Binder binder = binding.binder(out);
        BindOptions options = new BindOptions(wholeGroup, display);
        if (binding.isDryRun()) {
            binder.planOfBind(binding.address(), options).forEach(out::println);
            out.flush();
        } else {
            binder.bind(binding.address(), options);
        }
        return ExitCode.OK;
    }
}
