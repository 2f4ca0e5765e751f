package io.gpuvm.cli;

import io.gpuvm.binding.BindingException;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.record.RecordingException;
import io.gpuvm.workloads.WrongResultException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Entry point of the backend's command line.
///
/// Exit status: 0 success, 1 a failure while running, 2 wrong arguments or a configuration that
/// cannot be served, 130 and 143 after SIGINT and SIGTERM.
@Command(
        name = "gpuvm",
        description = "Shares one GPU among virtual machines.",
        subcommands = {
            ServeCommand.class,
            DeviceCommand.class,
            DoctorCommand.class,
            BindCommand.class,
            UnbindCommand.class,
            CtlCommand.class,
            ReplayCommand.class,
            RecordStatsCommand.class,
            SimulateCommand.class,
            AsmCommand.class,
            DisasmCommand.class,
            ExecCommand.class,
            RunCommand.class,
            SpinCommand.class,
            HelpCommand.class
        },
        mixinStandardHelpOptions = true,
        version = "gpuvm 0.1.0-SNAPSHOT")
public final class Main {
    private static final int HELP_WIDTH = 100;

    private Main() {}

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /// Runs one command in this process.
    ///
    /// @return exit status of the command
    public static int execute(String... arguments) {
        return commandLine().execute(arguments);
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setParameterExceptionHandler(Main::onBadArguments);
        commandLine.setExecutionExceptionHandler(Main::onException);
        return commandLine;
    }

    private static int onBadArguments(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("gpuvm: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.printf("see '%s --help'%n", command.getCommandSpec().qualifiedName());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /// Reports an error of the user's or of the environment in one line.
    private static int onException(Exception e, CommandLine command, ParseResult arguments)
            throws Exception {
        boolean usersMistake =
                switch (e) {
                    case ConfigException _, RecordingException _ -> true;
                    case GpuException gpu -> isUsersMistake(gpu.error());
                    case CommandFailedException _,
                            TransportException _,
                            WrongResultException _,
                            BindingException _ ->
                            false;
                    default -> throw e;
                };
        command.getErr().println("gpuvm: " + e.getMessage());
        return usersMistake
                ? command.getCommandSpec().exitCodeOnInvalidInput()
                : command.getCommandSpec().exitCodeOnExecutionException();
    }

    private static boolean isUsersMistake(GpuError error) {
        return switch (error) {
            case INVALID_VALUE, INVALID_HANDLE, INVALID_IMAGE, NOT_FOUND, OUT_OF_RESOURCES -> true;
            case OUT_OF_MEMORY, LAUNCH_FAILED, LAUNCH_TIMEOUT, LOST -> false;
        };
    }
}
