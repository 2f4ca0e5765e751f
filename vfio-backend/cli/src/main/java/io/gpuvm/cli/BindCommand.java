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
        description = {
            "Bind a card to vfio-pci, in place of its driver.",
            "The card is then free for 'gpuvm serve --gpu vfio:ADDRESS'. 'gpuvm unbind'"
                    + " restores the former driver. If a step fails, the former state is restored."
        },
        sortOptions = false,
        footer = {
            "",
            "Bridges, devices that are not display controllers, the card with the host's"
                    + " display, and cards whose IOMMU group has other devices in use are refused.",
            "",
            "Examples, as root:",
            "  gpuvm bind --dry-run 0000:01:00.0",
            "  gpuvm bind 0000:01:00.0 --whole-group",
            "",
            "Exit status: 0 bound, or nothing to do; 1 refused or failed; 2 wrong arguments."
        })
final class BindCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private BindingOptions binding;

    @Option(
            names = "--whole-group",
            description =
                    "Binding of all devices of the card's IOMMU group, for instance its audio"
                            + " function: Linux permits only all or none.")
    private boolean wholeGroup;

    @Option(
            names = "--boot-display",
            description =
                    "Permission to bind the card of the host's console or desktop. Its screen goes"
                            + " dark.")
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
