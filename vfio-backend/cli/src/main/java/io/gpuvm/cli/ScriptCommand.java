package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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

    /// `./gpuvm package`: makes packages.
    @Command(
            name = "package",
            description = "Make archive, Debian packages and Maven artifacts.",
            sortOptions = false,
            footer = {
                "",
                "docs/install.md describes the packages. Exit status: 0 success, 1 failure, 2 wrong"
                        + " arguments."
            })
    static final class Package extends ScriptCommand {
        @Option(
                names = "--out",
                paramLabel = "DIR",
                description = "Folder of the packages. Default: target/package.")
        private String out;

        @Parameters(
                paramLabel = "KIND",
                arity = "0..*",
                description =
                        "Packages: tar (archive that runs without a JDK), deb, guest-deb (for"
                                + " virtual machines), maven (libraries for programs), all."
                                + " Default: all.")
        private String[] kinds = {};
    }

    /// `./gpuvm jdk`: prints the folder of the JDK.
    @Command(name = "jdk", description = "Print the folder of the JDK that gpuvm uses.")
    static final class Jdk extends ScriptCommand {}

    /// `./gpuvm ctl`: the program in C that `ctl.c` contains.
    @Command(
            name = "ctl",
            description = "Print or change how a running backend shares its GPU.",
            sortOptions = false,
            footer = {
                "",
                "Requests:",
                "  list                 name, mode and socket of each virtual machine",
                "  show VM              state, settings and counters of a virtual machine",
                "  health               whether the thread of the GPU's owner answers",
                "  status               share, use and waiting commands of each virtual machine",
                "  summary              all counters as JSON, see docs/summary.md",
                "  policy POLICY        policy, as for 'gpuvm serve --policy'; resets past charges",
                "  set VM KEY=VALUE...  weight=N, 1 to 10000; cap=PCT|none, 1 to 100",
                "  weight VM N          the same as set VM weight=N",
                "  cap VM PCT|none      the same as set VM cap=PCT",
                "  kill VM              stops the running commands, with their channels",
                "  log LEVEL [LOGGER]   level of the log: error, warn, info, debug, trace; inherited"
                        + " ends that of a LOGGER, a class or package",
                "  attach VM,KEY=...    new virtual machine, with the keys of 'gpuvm serve --vm';"
                        + " prints its socket",
                "  detach VM            disconnects and removes a virtual machine, zeroes its memory",
                "  reload               reads the file of 'gpuvm serve --config' again, and prints"
                        + " the changes",
                "",
                "Example:",
                "  gpuvm ctl /run/gpuvm/ctl attach a,mode=cuda,vram=256M",
                "",
                "Exit status: 0 done, 1 no backend answered, or it is not healthy, 2 wrong"
                        + " arguments or refused."
            })
    static final class Ctl extends ScriptCommand {
        @Parameters(
                index = "0",
                paramLabel = "SOCKET",
                description =
                        "Socket of 'gpuvm serve --ctl'. Default: the environment variable"
                                + " GPUVM_CTL.")
        private String socket;

        @Parameters(
                index = "1",
                paramLabel = "REQUEST",
                description =
                        "Request: list, show, health, status, summary, policy, set, weight, cap,"
                                + " kill, log, attach, detach or reload, see below.")
        private String request;

        @Parameters(
                index = "2..*",
                paramLabel = "ARGUMENT",
                arity = "0..*",
                description = "Arguments of the request.")
        private String[] arguments = {};

        @Option(names = "--json", description = "Output as one line of JSON.")
        private boolean json;
    }

    @Override
    public Integer call() {
        throw new ConfigException(
                "%s: expected a call of the script: ./gpuvm %s"
                        .formatted(spec.name(), spec.name()));
    }
}
