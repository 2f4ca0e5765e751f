package io.gpuvm.cli;

import io.gpuvm.binding.Binder;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `gpuvm unbind`: binds a card to its former driver.
@Command(
        name = "unbind",
        description = {
            "Bind a card to its former driver.",
            "All devices that 'gpuvm bind' bound with the card return to their drivers as well."
        },
        sortOptions = false,
        footer = {
            "",
            "A card that a process has open is refused.",
            "",
            "Example, as root:",
            "  gpuvm unbind 0000:01:00.0",
            "",
            "Exit status: 0 unbound, or nothing to do; 1 refused or failed; 2 wrong" + " arguments."
        })
final class UnbindCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private BindingOptions binding;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Binder binder = binding.binder(out);
        if (binding.isDryRun()) {
            binder.planOfUnbind(binding.address()).forEach(out::println);
            out.flush();
        } else {
            binder.unbind(binding.address());
        }
        return ExitCode.OK;
    }
}
