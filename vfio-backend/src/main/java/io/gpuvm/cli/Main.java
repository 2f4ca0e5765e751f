package io.gpuvm.cli;

import io.gpuvm.backend.ConfigException;
import io.gpuvm.record.RecordingException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/// Entry point of the backend's command line.
///
/// Exit status: 0 done, 1 a failure while running, 2 wrong arguments or a configuration that cannot
/// be served, 130 and 143 when ended by SIGINT and SIGTERM.
@Command(
        name = "gpuvm",
        description = "Shares one GPU among virtual machines.",
        subcommands = {
            ServeCommand.class,
            DeviceCommand.class,
            ReplayCommand.class,
            RecordStatsCommand.class,
            AsmCommand.class,
            DisasmCommand.class,
            HelpCommand.class
        },
        mixinStandardHelpOptions = true,
        version = "gpuvm 0.1.0-SNAPSHOT")
public final class Main {
    private static final int HELP_WIDTH = 100;

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setExecutionExceptionHandler((e, command, _) -> {
            if (!(e instanceof ConfigException || e instanceof RecordingException)) {
                throw e;
            }
            PrintWriter err = command.getErr();
            err.println("gpuvm: " + e.getMessage());
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
        return commandLine;
    }
}
