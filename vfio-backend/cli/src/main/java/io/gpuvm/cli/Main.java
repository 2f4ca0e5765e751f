package io.gpuvm.cli;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Entry point of `./gpuvm`, with the subcommands of [CommandTable].
///
/// Exit status: 0 success, 1 a runtime failure, 2 wrong arguments or an invalid configuration, 3 a
/// part is missing on this host, 130 and 143 after SIGINT and SIGTERM.
@Command(
        name = "gpuvm",
        description = "Share one GPU among virtual machines.",
        synopsisSubcommandLabel = "COMMAND",
        version = Main.VERSION,
        sortOptions = false,
        footer = {
            "",
            "'gpuvm help COMMAND' prints the arguments of a command.",
            "Exit status: 0 success, 1 failure, 2 wrong arguments; more in the help texts of"
                    + " commands."
        })
public final class Main implements Callable<Integer> {
    static final String VERSION = "gpuvm 0.1.0-SNAPSHOT";

    @Spec private CommandSpec spec;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Version of gpuvm.")
    private boolean version;

    private Main() {}

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /// Runs one command in this process.
    ///
    /// @return exit status of the command
    public static int execute(String... arguments) {
        return commandLine(
                        CommandTable.neededFor(CommandTable.available(), arguments),
                        HelpWidth::ofTerminal)
                .execute(arguments);
    }

    /// Returns the command line with all subcommands.
    public static CommandLine commandLine() {
        return commandLine(CommandTable.available(), HelpWidth::ofTerminal);
    }

    /// @param helpWidth width of help texts in columns
    static CommandLine commandLine(List<CommandTable.Entry> entries, IntSupplier helpWidth) {
        CommandLine all = new CommandLine(new Main());
        for (CommandTable.Entry entry : entries) {
            all.addSubcommand(entry.name(), entry.command());
            if (entry.command() instanceof OwnModel described) {
                described.describeIn(all.getSubcommands().get(entry.name()).getCommandSpec());
            }
        }
        all.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, _ -> "");
        all.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandListing::of);
        return configured(all, helpWidth);
    }

    /// Configures a command line of this class path, or of a JVM that a subcommand starts: the help
    /// option, the layout of help texts, and the messages and exit statuses of errors.
    ///
    /// @return the argument
    public static CommandLine configured(CommandLine commandLine) {
        return configured(commandLine, HelpWidth::ofTerminal);
    }

    private static CommandLine configured(CommandLine commandLine, IntSupplier helpWidth) {
        HelpOption.addTo(commandLine);
        return commandLine
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setHelpFactory((command, colors) -> {
                    command.usageMessage().width(helpWidth.getAsInt());
                    return new Help(command, colors);
                })
                .setParameterExceptionHandler(CommandErrors::onBadArguments)
                .setExecutionExceptionHandler(CommandErrors::onException);
    }

    /// Prints the help text, because the command line has no subcommand.
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return CommandLine.ExitCode.USAGE;
    }
}
