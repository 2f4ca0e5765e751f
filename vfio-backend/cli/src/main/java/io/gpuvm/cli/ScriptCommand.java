package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Subcommand that the script `gpuvm` executes without Java code of this project. This class
/// provides only its help text.
abstract sealed class ScriptCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    /// `./gpuvm test`: runs tests.
    @Command(
            name = "test",
            description = "Build, and run all tests, including those with real guests.",
            sortOptions = false)
    static final class Test extends ScriptCommand {
        @Option(
                names = "--units",
                description =
                        "Only tests without virtual machines, gpuvm commands, soaks and"
                                + " repetitions with another execution mode or GPU.")
        private boolean units;

        @Option(names = "--long", description = "Additional soak tests and long random tests.")
        private boolean withLong;
    }

    /// `./gpuvm build`: builds modules.
    @Command(name = "build", description = "Build the modules whose sources have changed.")
    static final class Build extends ScriptCommand {}

    /// `./gpuvm jdk`: prints the folder of the JDK.
    @Command(name = "jdk", description = "Print the folder of the JDK that gpuvm uses.")
    static final class Jdk extends ScriptCommand {}

    @Override
    public Integer call() {
        throw new ConfigException(
                "%s: expected a call of the script: ./gpuvm %s"
                        .formatted(spec.name(), spec.name()));
    }
}
