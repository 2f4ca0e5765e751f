package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.ExecutionModeOption;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.ProgressPrinter;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tests/virtual-host/run`: boots a virtual host with the GPU, runs tests inside, and prints one
/// line of JSON.
///
/// Exit status: 0 pass, 1 fail, 2 wrong arguments, 3 setup of the virtual host failed.
@Command(
        name = "virtual-host",
        sortOptions = false,
        description = {
            "Run tests in a virtual machine in the role of a card's host.",
            "The machine is QEMU with an IOMMU and the software GPU as a PCI card, and Linux"
                    + " with vfio-pci. The last line of the output is JSON."
        },
        footer = {
            "",
            "Exit status: 0 all passed, 1 a failure, 2 wrong arguments, 3 the set-up of the"
                    + " machines failed."
        })
public final class VirtualHostMain implements OneLineErrors {
    @Option(names = "--list", description = "List of the tests; nothing is run.")
    private boolean list;

    @Option(
            names = "--select",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "Part of the names of the conformance suite's cases to run. Default: all.")
    private String select;

    @Option(
            names = "--gpu",
            paramLabel = "KIND[,KEY=VALUE]...",
            defaultValue = HostOptions.DEFAULT_GPU,
            description =
                    "GPU to use as the card, as for 'gpuvm device'. Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Option(
            names = "--recording",
            paramLabel = "DIR",
            description =
                    "Folder of a recording for the test 'replay', written by 'gpuvm real-guest"
                            + " --record DIR'.")
    private Path recording;

    @Mixin private ExecutionModeOption engine;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = HostOptions.DEFAULT_IDLE,
            description = "Idle mode, as for 'gpuvm device'. Default: ${DEFAULT-VALUE}.")
    private String idle;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of random choices. Default: a different seed in each run.")
    private Long seed;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = HostOptions.DEFAULT_TIMEOUT_SECONDS,
            description =
                    "Timeout from power-on to power-off, in seconds. Default: ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    @Option(
            names = "--keep",
            description = "Console and logs kept after the run, in a folder that is printed.")
    private boolean keep;

    @Option(
            names = {"-v", "--verbose"},
            description = "Output of the whole kernel log.")
    private boolean verbose;

    @Parameters(
            paramLabel = "TEST",
            arity = "0..*",
            description = "Tests to run in sequence in one machine; see --list.")
    private List<String> tests = List.of();

    @Override
    public Integer call() throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        List<HostTest> known = HostTest.all(files);
        PrintStream out = System.out;
        if (list) {
            known.forEach(test -> out.printf("%-14s%s%n", test.name(), test.description()));
            return CommandLine.ExitCode.OK;
        }
        requireKnown(known.stream().map(HostTest::name).toList());
        HostOptions options =
                new HostOptions(
                        tests,
                        machineFor(known),
                        select,
                        engine.in(gpu),
                        recording,
                        idle,
                        seed == null ? HostOptions.anySeed() : seed,
                        Duration.ofSeconds(timeoutSeconds),
                        keep);
        String kernel = files.prepareVirtualHost();
        HostReport report =
                VirtualHostRun.run(
                        options, kernel, files, new ProgressPrinter(System.err, verbose));
        out.println(report.toJson());
        return report.passed() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /// Returns the machine that all tests need.
    private HostMachine machineFor(List<HostTest> known) {
        List<HostMachine> wanted =
                known.stream()
                        .filter(test -> tests.contains(test.name()))
                        .map(HostTest::machine)
                        .distinct()
                        .toList();
        if (wanted.size() > 1) {
            throw new IllegalArgumentException(
                    "tests=%s, machines=%s, expected one machine".formatted(tests, wanted));
        }
        return wanted.isEmpty() ? HostMachine.USUAL : wanted.getFirst();
    }

    private void requireKnown(List<String> names) {
        for (String test : tests) {
            if (!names.contains(test)) {
                throw new IllegalArgumentException(
                        "test=%s, expected one of %s".formatted(test, String.join(", ", names)));
            }
        }
    }
}
