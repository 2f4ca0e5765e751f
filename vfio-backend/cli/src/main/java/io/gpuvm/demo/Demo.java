package io.gpuvm.demo;

import io.gpuvm.guests.real.ExecutionModeOption;
import io.gpuvm.guests.real.GuestCommandLine;
import io.gpuvm.guests.real.GuestFiles;
import java.io.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./gpuvm demo`: several guests share a software GF100, and all their results are verified.
///
/// Exit status: 0 all results were verified, 1 a result was not, 2 wrong arguments.
@Command(
        name = "gpuvm demo",
        sortOptions = false,
        description = {
            "Serves a GF100 in software to paravirtual guests, each a process with a workload of its",
            "own, and to two virtual machines with unmodified Linux and nouveau on unmodified QEMU, one",
            "of which computes with unmodified Mesa.",
            "Shows who uses the GPU while they do, and what each has computed. Takes a minute or",
            "two, and the first time one more for the set-up of the virtual machines."
        },
        footer = {
            "",
            "Exit status 0: every result was verified (virtual machines that cannot be set up are",
            "left out); 1: one was not, or something failed; 2: wrong arguments."
        })
public final class Demo implements Callable<Integer> {
    private static final String DUMB = "dumb";

    @Spec private CommandSpec spec;

    @Option(
            names = "--guests",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many paravirtual guests, 0 to 8. Default: ${DEFAULT-VALUE}.")
    private int guests;

    @Option(names = "--no-real-guests", description = "Leave the virtual machines out.")
    private boolean noRealGuests;

    @Option(
            names = "--kernel",
            paramLabel = "VERSION",
            defaultValue = "6.12",
            description =
                    "The virtual machines' kernel: 6.1, 6.12 or 7.2. Default: ${DEFAULT-VALUE}.")
    private String kernel;

    @Mixin private ExecutionModeOption engine;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    public static void main(String[] args) {
        System.exit(GuestCommandLine.execute(new Demo(), args));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (guests < 0 || guests > DemoPlan.MOST_GUESTS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--guests %d: limit=0 to %d".formatted(guests, DemoPlan.MOST_GUESTS));
        }
        if (guests == 0 && noRealGuests) {
            throw new ParameterException(
                    spec.commandLine(), "--guests 0 with --no-real-guests: no guest is left");
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
