package io.gpuvm.guests.cuda;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestHardware;
import io.gpuvm.guests.real.HostProcessors;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.LiveGuest;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.ProcessorSplit;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.RunOptions;
import io.gpuvm.guests.real.ServerProcess;
import io.gpuvm.guests.real.ServerStart;
import io.gpuvm.guests.real.ThisBuild;
import io.gpuvm.guests.real.VmSpec;
import io.gpuvm.statistics.Samples;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gpuvm bench-programs`: durations of CUDA programs on a private GPU, and as guests of a shared
/// GPU in a process and in a virtual machine.
@Command(
        name = "bench-programs",
        sortOptions = false,
        description = {
            "Measure CUDA programs on private and shared GPUs.",
            "Each line of standard input is a program: NAME|FOLDER|COMMAND. The folder is relative"
                    + " to --files; the first word of the command is the program's file. In each round,"
                    + " every program runs on a private GPU (gpuvm exec-cuda), in a process that"
                    + " is a guest of a backend with the policy fair, and in a virtual machine"
                    + " that is another guest of this backend. The last line of the output is JSON."
        },
        footer = {
            "",
            "Exit status: 0 all programs ran, 1 a program failed, 2 wrong arguments, 3 the set-up of the"
                    + " machine failed."
        })
public final class SharedProgramsMain implements OneLineErrors {
    private static final String PRIVATE = "private";
    private static final String PROCESS = "process";
    private static final String MACHINE = "machine";
    private static final Path MACHINE_FILES = Path.of("/opt/files");
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    /// Number of rounds before the measured ones, in which the JVMs of the backends compile the
    /// kernels.
    private static final int WARMUPS = 3;

    private static final double LOWER = 0.25;
    private static final double UPPER = 0.75;

    /// Value of `--command-limit`, in seconds: high enough for every kernel.
    private static final String COMMAND_SECONDS = "600";

    @Spec private CommandSpec spec;

    @Option(
            names = "--files",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the programs and their inputs. Programs may change it.")
    private Path files;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Number of measured rounds, after three rounds as a warm-up. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "Time limit of each run, in seconds. Default: ${DEFAULT-VALUE}.")
    private int limitSeconds;

    @Option(
            names = "--gpu",
            paramLabel = "GPU",
            defaultValue = "soft,vram=1G",
            description = "GPU of both backends, as for 'gpuvm serve'. Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Override
    public Integer call() throws InterruptedException {
        if (rounds < 1) {
            throw new IllegalArgumentException(
                    "--rounds %d: expected at least 1".formatted(rounds));
        }
        List<SharedProgram> programs = read();
        CudaLibrary library = CudaLibrary.ofThisBuild();
        GuestPrograms added = new GuestPrograms(files, library);
        for (SharedProgram each : programs) {
            added.addLibraries(files.resolve(each.folder()).resolve(each.file()));
        }
        try (RunFolder folder = new RunFolder(false);
                Children children = new Children()) {
            Places places = new Places(library, folder, children);
            List<TimedPlace> all = places.start();
            for (int round = 0; round < WARMUPS + rounds; round++) {
                runAll(programs, all, round);
            }
        }
        return report(programs);
    }

    private List<SharedProgram> read() {
        List<SharedProgram> programs =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        .lines()
                        .filter(line -> !line.isBlank())
                        .map(SharedProgram::parse)
                        .toList();
        if (programs.isEmpty()) {
            throw new IllegalArgumentException("programs=0, expected at least 1");
        }
        return programs;
    }

    /// The three places, on processors of their own: programs and the machine on one half, the GPUs
    /// on the other.
    private final class Places {
        private final ProcessorSplit split =
                ProcessorSplit.of(HostProcessors.available().numbers());
        private final CudaLibrary library;
        private final RunFolder folder;
        private final Children children;

        Places(CudaLibrary library, RunFolder folder, Children children) {
            this.library = library;
            this.folder = folder;
            this.children = children;
        }

        List<TimedPlace> start() throws InterruptedException {
            VmSpec machine =
                    new VmSpec(
                            MACHINE,
                            RunOptions.DEFAULT_KERNEL,
                            Map.of("mode", "cuda", "via", "vfio-user"));
            RunOptions options =
                    RunOptions.of(RunOptions.DEFAULT_KERNEL, RunOptions.CUDA)
                            .withArguments(RunOptions.TIMED)
                            .withVms(machine)
                            .withFiles(files)
                            .withTimeout(Duration.ofHours(1))
                            .withHardware(GuestHardware.DEFAULT.pinnedTo(split.guests()));
            GuestFiles guest = GuestFiles.locate();
            guest.prepareFor(
                    List.of(RunOptions.CUDA), List.of("--kernel", RunOptions.DEFAULT_KERNEL));
            ProgramsInC programs = ProgramsInC.prepare();
            serve();
            TimedPlace inMachine = powerOn(machine, options, guest);
            TimedPlace inProcess =
                    TimedPlace.inProcess(
                            PROCESS,
                            files.toAbsolutePath(),
                            split.guests().run(programs.timed(output(PROCESS))),
                            library.environment(folder.socket(PROCESS), System.getenv()),
                            log(),
                            children);
            TimedPlace isPrivate =
                    TimedPlace.inProcess(
                            PRIVATE,
                            files.toAbsolutePath(),
                            execCuda(programs),
                            Map.of(),
                            log(),
                            children);
            List<TimedPlace> all = List.of(isPrivate, inProcess, inMachine);
            for (TimedPlace each : all) {
                each.awaitReady(START_LIMIT);
            }
            return all;
        }

        private void serve() throws InterruptedException {
            List<String> arguments = new ArrayList<>();
            arguments.addAll(List.of("serve", "--gpu", gpu, "--policy", "fair"));
            arguments.addAll(List.of("--command-limit", COMMAND_SECONDS));
            String process = "%s,mode=cuda,socket=%s".formatted(PROCESS, folder.socket(PROCESS));
            String machine =
                    "%s,mode=cuda,via=vfio-user,socket=%s"
                            .formatted(MACHINE, folder.socket(MACHINE));
            arguments.addAll(List.of("--vm", process, "--vm", machine));
            ServerStart.start(
                    arguments,
                    new ServerProcess(split.backends(), Map.of()),
                    folder,
                    children,
                    _ -> {});
        }

        /// Returns the command that starts a private GPU on the backends' processors, and `timed`
        /// on the programs'.
        private List<String> execCuda(ProgramsInC programs) {
            List<String> arguments = new ArrayList<>(List.of("exec-cuda", "--gpu", gpu, "--"));
            arguments.addAll(split.guests().run(programs.timed(output(PRIVATE))));
            List<String> command = new ArrayList<>(ProgramProcess.starterOf(arguments.getFirst()));
            command.addAll(ThisBuild.gpuvm(jvmOptions(), arguments));
            return split.backends().run(command);
        }

        private static List<String> jvmOptions() {
            List<String> options = new ArrayList<>(JvmOptions.brief());
            options.add("-Dgpuvm.root=" + GuestFiles.locate().root());
            return options;
        }

        private TimedPlace powerOn(VmSpec machine, RunOptions options, GuestFiles guest) {
            TimedPlace place = new TimedPlace(MACHINE, MACHINE_FILES);
            RunListener listener =
                    new RunListener() {
                        @Override
                        public void onProgress(String text) {}

                        @Override
                        public void onEvent(String vm, GuestEvent event) {
                            place.accept(event);
                        }
                    };
            LiveGuest live = LiveGuest.powerOn(machine, options, guest, folder, children, listener);
            place.connect(live::send);
            return place;
        }

        private Path output(String place) {
            return folder.path().resolve(place + ".output");
        }

        private Path log() {
            return folder.path().resolve("programs.log");
        }
    }

    /// Runs each program once in each place. The first place changes from round to round. During
    /// the warm-up, a program runs twice on the private GPU, since the other GPU also runs it
    /// twice: in two places.
    private void runAll(List<SharedProgram> programs, List<TimedPlace> places, int round)
            throws InterruptedException {
        boolean isCounted = round >= WARMUPS;
        for (SharedProgram program : programs) {
            for (int i = 0; i < places.size() && !program.hasFailed(); i++) {
                TimedPlace place = places.get((round + i) % places.size());
                run(program, place, isCounted);
                if (!isCounted && place.name().equals(PRIVATE) && !program.hasFailed()) {
                    run(program, place, false);
                }
            }
        }
        PrintWriter err = spec.commandLine().getErr();
        err.println(
                isCounted
                        ? "bench-programs: round %d of %d".formatted(round - WARMUPS + 1, rounds)
                        : "bench-programs: warm-up %d of %d".formatted(round + 1, WARMUPS));
        err.flush();
    }

    private void run(SharedProgram program, TimedPlace place, boolean isCounted)
            throws InterruptedException {
        Duration limit = Duration.ofSeconds(limitSeconds);
        program.add(place.name(), place.run(program.folder(), program.command(), limit), isCounted);
        if (program.hasFailed()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("bench-programs: %s: %s".formatted(program.name(), program.failure()));
            err.flush();
        }
    }

    private int report(List<SharedProgram> programs) {
        PrintWriter out = spec.commandLine().getOut();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("result", "").put("rounds", rounds);
        ArrayNode all = json.putArray("programs");
        List<List<String>> table = new ArrayList<>();
        table.add(
                List.of("program", "private ms", "process ms", "machine ms", "process", "machine"));
        int failed = 0;
        List<Double> process = new ArrayList<>();
        List<Double> machine = new ArrayList<>();
        for (SharedProgram each : programs) {
            ObjectNode node = all.addObject().put("name", each.name());
            if (each.hasFailed()) {
                failed++;
                node.put("failure", each.failure());
                table.add(List.of(each.name(), "-", "-", "-", "-", "-"));
                continue;
            }
            List<String> row = new ArrayList<>(List.of(each.name()));
            for (String place : List.of(PRIVATE, PROCESS, MACHINE)) {
                row.add(text(each.medianMs(place)));
                node.put(place + "Ms", each.medianMs(place));
            }
            process.add(addRatio(each, PROCESS, row, node));
            machine.add(addRatio(each, MACHINE, row, node));
            table.add(row);
        }
        out.print(TextTable.of(table));
        if (!process.isEmpty()) {
            double clock =
                    Samples.of(
                                    programs.stream()
                                            .filter(each -> !each.hasFailed())
                                            .map(each -> each.clock(MACHINE))
                                            .toList())
                            .median();
            json.put("machineClock", clock);
            out.printf(
                    Locale.ROOT,
                    "clock of the machine relative to the host's, median over the programs: %.3f%n",
                    clock);
            json.put("medianProcess", Samples.of(process).median());
            json.put("medianMachine", Samples.of(machine).median());
            out.printf(
                    Locale.ROOT,
                    "median over the programs: process %.2f, machine %.2f%n",
                    Samples.of(process).median(),
                    Samples.of(machine).median());
        }
        json.put("result", failed == 0 ? "pass" : "fail");
        out.println(json);
        out.flush();
        return failed == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /// Adds the median of a ratio with its quartiles, and returns the median.
    private static double addRatio(
            SharedProgram program, String place, List<String> row, ObjectNode node) {
        Samples ratio = program.ratio(place, PRIVATE);
        row.add(
                "%s (%s to %s)"
                        .formatted(
                                text(ratio.median()),
                                text(ratio.quantile(LOWER)),
                                text(ratio.quantile(UPPER))));
        node.putObject(place)
                .put("median", ratio.median())
                .put("quartile1", ratio.quantile(LOWER))
                .put("quartile3", ratio.quantile(UPPER));
        return ratio.median();
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
