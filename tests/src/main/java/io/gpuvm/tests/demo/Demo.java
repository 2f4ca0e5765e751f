package io.gpuvm.tests.demo;

import io.gpuvm.tests.realguest.EngineOption;
import io.gpuvm.tests.realguest.GuestFiles;
import io.gpuvm.tests.realguest.GuestSetupException;
import io.gpuvm.tests.realguest.RealGuestRun;
import io.gpuvm.tests.realguest.RunOptions;
import io.gpuvm.tests.realguest.RunReport;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./gpuvm demo`: prepares a guest, serves it a software GF100, boots it, and shows what happens.
///
/// Exit status: 0 all went well, 1 it did not, 3 the guest could not be set up.
@Command(
        name = "gpuvm demo",
        sortOptions = false,
        description = {
            "Boots an unmodified Debian guest on an unmodified QEMU with a GF100 in software as its",
            "graphics card, lets its stock nouveau driver copy data with the GPU, and shows what",
            "happens while it happens. Takes a minute, and the first time one more for the set-up."
        })
public final class Demo implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int NO_SETUP = 3;
    private static final int HELP_WIDTH = 100;

    @Option(
            names = "--kernel",
            paramLabel = "VERSION",
            defaultValue = "6.12",
            description = "The guest's kernel: 6.1, 6.12 or 7.2. Default: ${DEFAULT-VALUE}.")
    private String kernel;

    @Mixin private EngineOption engine;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    public static void main(String[] args) {
        CommandLine commandLine = new CommandLine(new Demo());
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setExecutionExceptionHandler((e, _, _) -> {
            System.err.println("demo: " + e.getMessage());
            return e instanceof GuestSetupException ? NO_SETUP : FAILED;
        });
        System.exit(commandLine.execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintStream out = System.out;
        RunOptions options = RunOptions.of(kernel, "copy");
        options = options.withGpu(engine.in(RunOptions.DEFAULT_GPU));
        GuestFiles files = GuestFiles.locate();
        out.println(
                "1. Setting up QEMU and Linux " + kernel + " (cached in " + files.cache() + ")");
        files.prepare(List.of("--kernel", kernel));
        out.println("2. Booting a virtual machine whose graphics card is a GF100 in software");
        Narrator narrator = new Narrator(out);
        RunReport report = RealGuestRun.run(options, files, narrator);
        narrator.summarize(report);
        return report.passed() ? CommandLine.ExitCode.OK : FAILED;
    }
}
