package io.gpuvm.guests.real;

import io.gpuvm.daemon.ConfigException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/// Error messages and exit statuses of the commands that start guests and machines: one message for
/// each error, and one of four statuses.
public final class GuestCommandLine {
    /// Exit status: the run failed.
    public static final int FAILED = 1;

    /// Exit status: the machines could not be set up.
    public static final int NO_SETUP = 3;

    private static final int HELP_WIDTH = 100;

    private GuestCommandLine() {}

    /// Runs a command.
    ///
    /// @return 0 passed, [#FAILED], 2 wrong arguments, [#NO_SETUP]
    public static int execute(Callable<Integer> command, String... args) {
        CommandLine commandLine = new CommandLine(command);
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setExecutionExceptionHandler((e, _, _) -> explain(e));
        return commandLine.execute(args);
    }

    private static int explain(Exception e) throws Exception {
        return switch (e) {
            case GuestSetupException setup -> complain(setup, NO_SETUP);
            case ConfigException wrong -> complain(wrong, CommandLine.ExitCode.USAGE);
            case IllegalArgumentException wrong -> complain(wrong, CommandLine.ExitCode.USAGE);
            case IllegalStateException failed -> complain(failed, FAILED);
            case UncheckedIOException failed -> complain(failed, FAILED);
            default -> throw e;
        };
    }

    private static int complain(Exception e, int status) {
        System.err.println("gpuvm: " + e.getMessage());
        return status;
    }
}
