package io.gpuvm.cli;

import io.gpuvm.bench.pocl.NoPoclException;
import io.gpuvm.binding.BindingException;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.guests.real.GuestSetupException;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.record.RecordingException;
import io.gpuvm.workloads.WrongResultException;
import io.gpuvm.workloads.measure.MeasurementException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Messages and exit statuses of all commands that fail. An error that the user or the environment
/// has caused is printed as one line; internal errors have stack traces.
final class CommandErrors {
    /// Exit status if this host lacks a part that the command needs and cannot set up.
    static final int NO_SETUP = 3;

    private CommandErrors() {}

    /// @return exit status
    static int onBadArguments(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("gpuvm: " + messageOf(e));
        // An unknown option may be the cause of another error, for instance of a missing option.
        String known =
                similar(
                        command,
                        e instanceof UnmatchedArgumentException unmatched
                                ? unmatched.getUnmatched()
                                : command.getUnmatchedArguments());
        if (!known.isEmpty()) {
            err.println("did you mean: " + known);
        }
        err.printf("see '%s --help'%n", command.getCommandSpec().qualifiedName());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String messageOf(ParameterException e) {
        boolean isCommand =
                e instanceof UnmatchedArgumentException unmatched
                        && !unmatched.isUnknownOption()
                        && !e.getCommandLine().getSubcommands().isEmpty();
        return isCommand
                ? "unknown command: '%s'"
                        .formatted(((UnmatchedArgumentException) e).getUnmatched().getFirst())
                : e.getMessage();
    }

    private static String similar(CommandLine command, List<String> unmatched) {
        return unmatched.isEmpty()
                ? ""
                : String.join(
                        ", ", new UnmatchedArgumentException(command, unmatched).getSuggestions());
    }

    /// @return exit status
    static int onException(Exception e, CommandLine command, ParseResult arguments)
            throws Exception {
        int status = statusOf(e, command.getCommand() instanceof OneLineErrors);
        command.getErr().println("gpuvm: " + e.getMessage());
        return status;
    }

    /// Returns the exit status of a failure.
    ///
    /// @throws Exception the argument, if it is an internal error
    static int statusOf(Exception e) throws Exception {
        return statusOf(e, false);
    }

    private static int statusOf(Exception e, boolean oneLine) throws Exception {
        return switch (e) {
            case ConfigException _, RecordingException _ -> ExitCode.USAGE;
            case GpuException gpu ->
                    isUsersMistake(gpu.error()) ? ExitCode.USAGE : ExitCode.SOFTWARE;
            case GuestSetupException _, NoPoclException _ -> NO_SETUP;
            case CommandFailedException _,
                    TransportException _,
                    WrongResultException _,
                    MeasurementException _,
                    BindingException _ ->
                    ExitCode.SOFTWARE;
            case IllegalArgumentException _ when oneLine -> ExitCode.USAGE;
            case IllegalStateException _ when oneLine -> ExitCode.SOFTWARE;
            case UncheckedIOException _ when oneLine -> ExitCode.SOFTWARE;
            default -> throw e;
        };
    }

    private static boolean isUsersMistake(GpuError error) {
        return switch (error) {
            case INVALID_VALUE, INVALID_HANDLE, INVALID_IMAGE, NOT_FOUND, OUT_OF_RESOURCES -> true;
            case OUT_OF_MEMORY, LAUNCH_FAILED, LAUNCH_TIMEOUT, LOST -> false;
        };
    }
}
