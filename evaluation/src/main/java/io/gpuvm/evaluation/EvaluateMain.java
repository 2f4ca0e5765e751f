package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.EvaluationCsv;
import io.gpuvm.evaluation.data.EvaluationJson;
import io.gpuvm.evaluation.data.EvaluationRounds;
import io.gpuvm.evaluation.report.Report;
import io.gpuvm.guests.real.Accelerator;
import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.HostProcessors;
import io.gpuvm.guests.real.Pinning;
import io.gpuvm.guests.real.ProcessorSplit;
import io.gpuvm.workloads.measure.Task;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// `gpuvm evaluate`: compares the configurations of access to the GPU.
@Command(
        name = "gpuvm evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compare native use, pass-through, full virtualization and paravirtualization, and write a report.",
            "Workloads, copies and launches run natively, in pass-through and fully virtualized"
                    + " machines, and as paravirtual guests, in Java and with CUDA. Results are verified. The folder of the"
                    + " results has evaluation.json, CSV files with every sample, and the report."
        },
        footer = {
            "",
            "Configurations: native, pv-process, pv-process-single, cuda-process, pt-trapped,"
                    + " pt-mapped, fv-naive, fv-bar-remap, fv-lazy, fv-optimized, pv-machine,"
                    + " pv-machine-single, cuda-machine. docs/evaluation.md describes them and the results.",
            "",
            "Examples:",
            "  gpuvm evaluate --quick",
            "  gpuvm evaluate --only native,pv-process --workloads mmul,cpy",
            "  gpuvm evaluate --resume evaluation-20260101-120000",
            "  gpuvm evaluate --report evaluation-20260101-120000",
            "",
            "Exit status: 0 every result is valid, 1 a result is missing or invalid, 2 wrong"
                    + " arguments, 130 and 143 after SIGINT (Ctrl-C) and SIGTERM."
        })
public final class EvaluateMain implements Callable<Integer> {
    private static final int MOST_ROUNDS = 1000;
    private static final int PROCESS_ROUNDS = 11;
    private static final int MACHINE_ROUNDS = 5;
    private static final int LIMIT_MINUTES = 90;
    private static final int QUICK_LIMIT_MINUTES = 10;
    private static final List<String> VALID_WITH_RESUME = List.of("--resume", "--limit");
    private static final List<String> VALID_WITH_REPORT = List.of("--report");
    private static final String RESULTS = "evaluation.json";
    private static final DateTimeFormatter FOLDER_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /// True if this process executes only the evaluation.
    private final boolean alone;

    @Spec private CommandSpec spec;

    @Option(
            names = "--quick",
            description =
                    "Small sizes, one round of virtual machines and three of processes, within 10"
                            + " minutes on two processors without KVM.")
    private boolean quick;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "New or empty folder for the results. Default: evaluation-TIME in the working"
                            + " folder.")
    private Path out;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "Folder of an interrupted evaluation, which continues with its own options,"
                            + " except --limit. Missing and invalid results are measured again. The"
                            + " sources and the processors must be the same.")
    private Path resume;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description =
                    "Folder of a completed evaluation, whose report is written again from its"
                            + " evaluation.json. Nothing is measured. Not valid with other options.")
    private Path rewritten;

    @Option(
            names = "--only",
            paramLabel = "CONFIGURATION,...",
            split = ",",
            hideParamSyntax = true,
            description = "Configurations, see below. Default: all.")
    private List<String> only = List.of();

    @Option(
            names = "--workloads",
            paramLabel = "WORKLOAD,...",
            split = ",",
            hideParamSyntax = true,
            description = "Workloads, see 'gpuvm run --list'. Default: all.")
    private List<String> workloads = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "PROCESSES,MACHINES",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Numbers of rounds of processes and of virtual machines, 1 to 1000. Default:"
                            + " 11,5; with --quick 3,1.")
    private List<Integer> rounds = List.of();

    @Option(
            names = "--no-sharing",
            description =
                    "Without measurements of several guests at once, and of shares under each"
                            + " policy.")
    private boolean noSharing;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description =
                    "Maximum number of runs of a workload in a round, 1 to 1000: a run is repeated if"
                            + " the GPU's threads had less than 95 %% of a processor. Default:"
                            + " ${DEFAULT-VALUE}.",
            defaultValue = "3")
    private int attempts;

    @Option(
            names = "--limit",
            paramLabel = "MINUTES",
            description =
                    "Time limit of the evaluation, in minutes, at least 1. Further rounds do not"
                            + " begin if they would exceed it; first rounds are shortened. Default: 90;"
                            + " with --quick 10.")
    private Integer limitMinutes;

    @Option(
            names = "--accel",
            paramLabel = "tcg|kvm|auto",
            defaultValue = "auto",
            description =
                    "Accelerator of the virtual machines; auto: kvm if this user may use /dev/kvm"
                            + " and the processors have vmx or svm, else tcg. Default: ${DEFAULT-VALUE}.")
    private String accel;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of all inputs. Default: ${DEFAULT-VALUE}.")
    private long seed;

    private EvaluateMain(boolean alone) {
        this.alone = alone;
    }

    public static void main(String[] arguments) {
        System.setProperty("java.awt.headless", "true");
        System.exit(commandLine(true).execute(arguments));
    }

    /// @param alone whether this process executes nothing else, and may be moved to the guests'
    ///   processors
    static CommandLine commandLine(boolean alone) {
        return new CommandLine(new EvaluateMain(alone))
                .setExecutionExceptionHandler(EvaluateMain::onException);
    }

    private static int onException(Exception e, CommandLine command, ParseResult arguments)
            throws Exception {
        int status =
                switch (e) {
                    case IllegalArgumentException _ -> ExitCode.USAGE;
                    case InterruptedEvaluationException _,
                            MeasurementException _,
                            UncheckedIOException _ ->
                            ExitCode.SOFTWARE;
                    default -> throw e;
                };
        command.getErr().println("gpuvm evaluate: " + e.getMessage());
        return status;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (rewritten != null) {
            return rewriteReport();
        }
        ProcessorSplit split = ProcessorSplit.of(HostProcessors.available().numbers());
        Path folder = resume == null ? newFolder() : resume;
        Journal journal =
                resume == null ? Journal.create(folder, header(newPlan(), split)) : resumed(split);
        EvaluationPlan plan = journal.header().plan();
        if (limitMinutes != null) {
            plan = plan.withLimit(limitSeconds());
        }
        PrintWriter err = spec.commandLine().getErr();
        ProgressReport progress =
                new ProgressReport(err, System.console() != null && System.console().isTerminal());
        progress.note("results: " + folder);
        run(plan, journal, split, progress);
        return publish(folder, journal.evaluation());
    }

    private void run(
            EvaluationPlan plan, Journal journal, ProcessorSplit split, ProgressReport progress)
            throws InterruptedException {
        RunResources resources = new RunResources();
        try (AtEnd _ = new AtEnd(resources::close)) {
            VirtualMachines machines =
                    new VirtualMachines(
                            split,
                            resources,
                            Accelerator.parse(journal.header().machine().accelerator()),
                            progress::note);
            EvaluationRun.OwnProcess own =
                    () -> {
                        if (alone) {
                            Pinning.moveThisProcess(split.guests(), resources.children());
                        }
                    };
            new EvaluationRun(plan, journal, split, resources, progress, machines, own).run();
        } finally {
            progress.end();
        }
    }

    private int rewriteReport() {
        requireOnly("--report", VALID_WITH_REPORT);
        Path results = rewritten.resolve(RESULTS);
        if (!Files.exists(results)) {
            throw wrong("--report %s: the folder has no file %s".formatted(rewritten, RESULTS));
        }
        Path page = Report.write(rewritten, EvaluationJson.read(results));
        spec.commandLine().getOut().println(page);
        return ExitCode.OK;
    }

    private int publish(Path folder, Evaluation evaluation) {
        EvaluationJson.write(folder.resolve(RESULTS), evaluation);
        EvaluationCsv.write(folder, evaluation);
        Report.write(folder, evaluation);
        PrintWriter text = spec.commandLine().getOut();
        evaluation
                .gaps()
                .forEach(gap ->
                        text.printf(
                                "missing: %s, %s%s, round %d: %s%n",
                                gap.section(),
                                gap.configuration(),
                                gap.workload() == null ? "" : ", " + gap.workload(),
                                gap.round(),
                                gap.reason()));
        text.printf(
                "%s: %d samples, %d missing, %d skipped; %s%n",
                evaluation.result(),
                evaluation.samples().size(),
                evaluation.failed(),
                evaluation.skipped(),
                folder);
        text.flush();
        return evaluation.result().equals("pass") ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /// Opens the journal that `--resume` names.
    private Journal resumed(ProcessorSplit split) {
        requireOnly("--resume", VALID_WITH_RESUME);
        Journal journal = Journal.resume(resume);
        journal.header().requireSame(header(journal.header().plan(), split));
        return journal;
    }

    /// Refuses the command line if it contains an option that is not valid with another option.
    private void requireOnly(String option, List<String> valid) {
        spec.options().stream()
                .filter(each -> spec.commandLine().getParseResult().hasMatchedOption(each))
                .map(OptionSpec::longestName)
                .filter(name -> !valid.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw wrong("%s: not valid with %s".formatted(option, name));
                });
    }

    private Path newFolder() {
        return out != null ? out : Path.of("evaluation-" + LocalDateTime.now().format(FOLDER_TIME));
    }

    private EvaluationPlan newPlan() {
        check("--attempts", attempts, MOST_ROUNDS);
        int processRounds = quick ? 3 : PROCESS_ROUNDS;
        int machineRounds = quick ? 1 : MACHINE_ROUNDS;
        if (!rounds.isEmpty()) {
            if (rounds.size() != 2) {
                throw wrong("--rounds: numbers=%d, expected 2".formatted(rounds.size()));
            }
            rounds.forEach(each -> check("--rounds", each, MOST_ROUNDS));
            processRounds = rounds.getFirst();
            machineRounds = rounds.getLast();
        }
        List<AccessConfiguration> configurations =
                only.isEmpty()
                        ? Arrays.asList(AccessConfiguration.values())
                        : only.stream().map(AccessConfiguration::named).distinct().toList();
        return new EvaluationPlan(
                new EvaluationRounds(quick, processRounds, machineRounds, seed),
                configurations,
                WorkloadSizes.tasks(workloads, quick),
                attempts,
                limitSeconds(),
                EvaluationPlan.Amounts.of(quick),
                !noSharing);
    }

    private long limitSeconds() {
        int usual = quick ? QUICK_LIMIT_MINUTES : LIMIT_MINUTES;
        int minutes = limitMinutes == null ? usual : limitMinutes;
        check("--limit", minutes, Integer.MAX_VALUE);
        return TimeUnit.MINUTES.toSeconds(minutes);
    }

    private JournalHeader header(EvaluationPlan plan, ProcessorSplit split) {
        Accelerator accelerator = Accelerator.parse(accel);
        Path root = GuestFiles.locate().root();
        return new JournalHeader(
                HostFacts.commit(root),
                HostFacts.isDirty(root),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                HostFacts.host(split, accelerator.name().toLowerCase(Locale.ROOT)),
                plan.rounds(),
                plan.configurations().stream().map(AccessConfiguration::key).toList(),
                plan.tasks().stream().map(EvaluateMain::described).toList(),
                plan.sharing(),
                plan.attempts(),
                plan.limitSeconds());
    }

    private static EvaluatedWorkload described(Task task) {
        return new EvaluatedWorkload(
                task.workload().name(), task.size(), task.workload().size().meaning(), null);
    }

    private void check(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw wrong("%s %d: expected 1 to %d".formatted(option, value, most));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
