package io.gpuvm.demo;

import io.gpuvm.guests.real.ExecutionModeOption;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.OneLineErrors;
import java.io.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./gpuvm demo`: several guests share a software GF100, and all their results are verified.
///
/// Exit status: 0 all results were verified, 1 a result was wrong or a guest failed, 2 wrong
/// arguments.
@Command(
        name = "demo",
        sortOptions = false,
        description = {
            "Share a software GPU among guests of all kinds.",
            "The guests are paravirtual processes, each with its own workload, and two virtual"
                    + " machines with unmodified QEMU, Linux and nouveau, one of which computes"
                    + " with unmodified Mesa. A table shows the use of the GPU. The demo takes two"
                    + " minutes; the first set-up of the virtual machines takes another minute."
        },
        footer = {
            "",
            "Exit status: 0 every result is verified (virtual machines that cannot be set up"
                    + " are omitted), 1 a result is wrong or a guest failed, 2 wrong arguments."
        })
public final class Demo implements OneLineErrors {
    private static final String DUMB = "dumb";

    @Spec private CommandSpec spec;

    @Option(
            names = "--guests",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of paravirtual guests, 0 to 8. Default: ${DEFAULT-VALUE}.")
    private int guests;

    @Option(names = "--no-real-guests", description = "Demo without virtual machines.")
    private boolean noRealGuests;

    @Option(
            names = "--kernel",
            paramLabel = "VERSION",
            defaultValue = "6.12",
            description =
                    "Linux version of the virtual machines: 6.1, 6.12 or 7.2. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String kernel;

    @Mixin private ExecutionModeOption engine;

    @Override
    public Integer call() throws InterruptedException {
        if (guests < 0 || guests > DemoPlan.MOST_GUESTS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--guests %d: expected 0 to %d".formatted(guests, DemoPlan.MOST_GUESTS));
        }
        if (guests == 0 && noRealGuests) {
            throw new ParameterException(
                    spec.commandLine(), "--guests 0: expected at least 1 with --no-real-guests");
        }
        DemoPlan plan = DemoPlan.of(guests, noRealGuests ? 0 : DemoPlan.REAL_GUESTS, kernel);
        DemoScreen board = new DemoScreen(System.out, isTerminal());
        boolean passed = DemoRun.run(plan, engine.in(plan.gpu()), GuestFiles.locate(), board);
        return passed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /// Returns whether earlier output can be overwritten.
    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal() && !DUMB.equals(System.getenv("TERM"));
    }
}
