package io.gpuvm.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Option `-h`, `--help` of every command.
final class HelpOption {
    static final String NAME = "--help";

    private HelpOption() {}

    /// Adds the option to a command and its subcommands.
    static void addTo(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.userObject() instanceof ForeignCommand) {
            return;
        }
        spec.addOption(
                OptionSpec.builder("-h", NAME)
                        .usageHelp(true)
                        .description("This help text.")
                        .build());
        // The values repeat a command with several names.
        command.getSubcommands().values().stream().distinct().forEach(HelpOption::addTo);
    }
}
