package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Subcommands that the script `gpuvm` executes itself, because they need no Java of this project.
/// Only their help texts are here.
abstract sealed class ScriptCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    /// `./gpuvm test`.
    @Command(
            name = "test",
            description = "Build, and run all tests, those with real guests included.",
            sortOptions = false)
    static final class Test extends ScriptCommand {
        @Option(names = "--units", description = "Tests without guests and processes of gpuvm.")
        private boolean units;

        @Option(names = "--long", description = "Soak tests and long random tests, too.")
        private boolean withLong;
    }

    /// `./gpuvm build`.
    @Command(name = "build", description = "Build the modules whose sources have changed.")
    static final class Build extends ScriptCommand {}

    /// `./gpuvm jdk`.
    @Command(name = "jdk", description = "Print the folder of the JDK that runs all of this.")
    static final class Jdk extends ScriptCommand {}

    @Override
    public Integer call() {
        throw new ConfigException(
                "%s: only the script runs this command: ./gpuvm %s"
                        .formatted(spec.name(), spec.name()));
    }
}
