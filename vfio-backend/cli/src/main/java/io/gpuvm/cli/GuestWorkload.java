package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// Check of the arguments of `gpuvm run` in a guest, on the host: a guest needs seconds until the
/// command itself can refuse them.
final class GuestWorkload {
    /// Options that are valid in a guest. The guest has only one GPU, and its runner reports the
    /// measurement.
    private static final Set<String> VALID = Set.of("--size", "--seed", "--repeat");

    private GuestWorkload() {}

    /// @throws ConfigException if the arguments are wrong
    static void check(List<String> arguments) {
        RunCommand command = new RunCommand();
        CommandLine line = Main.configured(new CommandLine(command));
        try {
            line.parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            throw new ConfigException("workload: " + e.getMessage(), e);
        }
        for (OptionSpec option : line.getParseResult().matchedOptions()) {
            if (!VALID.contains(option.longestName())) {
                throw new ConfigException(
                        "workload: %s: not valid in a guest, where gpuvm uses the guest's GPU and"
                                        .formatted(option.longestName())
                                + " reports the measurement");
            }
        }
        command.check();
    }
}
