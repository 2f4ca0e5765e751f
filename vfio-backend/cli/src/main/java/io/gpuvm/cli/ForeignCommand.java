package io.gpuvm.cli;

import io.gpuvm.guests.real.GuestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// Subcommand whose main class is in a module that this class path lacks. It starts a JVM with the
/// class path and the options of that module, passes all arguments to it unchanged, and returns its
/// exit status. The JVM shares this process's terminal and ends with this process.
@Command(preprocessor = ForeignCommand.AllArguments.class)
public final class ForeignCommand implements Callable<Integer>, OwnModel {
    static final ForeignCommand BENCH_KERNELS =
            of(
                    "Measure the execution and compilation of kernels.",
                    new Program(
                            "tests/jmh", "io.gpuvm.softgpu.sm.KernelBench", List.of("kernels")));

    static final ForeignCommand BENCH_RINGS =
            of(
                    "Compare the rings of paravirtual guests with Agrona's.",
                    new Program("tests/jmh", "io.gpuvm.pv.ring.RingBench", List.of("access")));

    static final ForeignCommand BENCH_WAKE =
            of(
                    "Measure wake-up times and idle load of a backend's threads.",
                    new Program(
                            "tests/jmh",
                            "io.gpuvm.daemon.WakeBench",
                            List.of("kernels", "daemon", "access")));

    /// Evaluation, which starts backends and programs of this build in additional JVMs; these
    /// inherit the options.
    static final ForeignCommand EVALUATE =
            of(
                    "Compare all ways to use the GPU, and write a report.",
                    new Program(
                            "evaluation",
                            "io.gpuvm.evaluation.EvaluateMain",
                            List.of("kernels", "access")));

    static final ForeignCommand PLOT =
            of(
                    "Draw a figure from CSV files.",
                    new Program("experiments", "io.gpuvm.experiments.Plot", List.of()));

    /// JMH benchmarks, which run in separate JVMs and need the same options.
    static final ForeignCommand JMH =
            of(
                    "Run the JMH benchmarks of the hot paths.",
                    new Program(
                            "tests/jmh",
                            "org.openjdk.jmh.Main",
                            List.of(),
                            List.of("-jvmArgsAppend", "@{root}/etc/jvm/every.options"),
                            List.of(),
                            ""));

    /// Run of jcstress, which leaves raw results in its working folder. Without arguments, each
    /// test takes half a minute.
    static final ForeignCommand JCSTRESS =
            of(
                    "Search for outcomes of data races that are not permitted.",
                    new Program(
                            "tests/jcstress",
                            "org.openjdk.jcstress.Main",
                            List.of(),
                            List.of(
                                    "-r",
                                    "{root}/target/jcstress",
                                    "-jvmArgsPrepend",
                                    "@{root}/etc/jvm/access.options"),
                            List.of("-m", "quick"),
                            "target/jcstress"));

    private static final String ROOT = "{root}";

    /// Deadline for the JVM's normal shutdown after a signal to this process.
    private static final int STOP_LIMIT_SECONDS = 20;

    private final String description;
    private final Program program;
    private final Supplier<Path> root;
    private final List<String> arguments = new ArrayList<>();

    /// Child process. Guarded by this object, as is [#ends].
    private Process child;

    private boolean ends;

    /// Main class and its environment.
    ///
    /// @param module folder of the module, relative to the project's
    /// @param options names of files in `etc/jvm`, in addition to `every`
    /// @param leading arguments before the user's; `{root}` stands for the project's folder
    /// @param defaults arguments if the user passes none
    /// @param folder working folder, relative to the project's; empty for this process's
    record Program(
            String module,
            String mainClass,
            List<String> options,
            List<String> leading,
            List<String> defaults,
            String folder) {
        Program(String module, String mainClass, List<String> options) {
            this(module, mainClass, options, List.of(), List.of(), "");
        }
    }

    /// @param root folder of the project, used only to run the command
    ForeignCommand(String description, Program program, Supplier<Path> root) {
        this.description = description;
        this.program = program;
        this.root = root;
    }

    private static ForeignCommand of(String description, Program program) {
        return new ForeignCommand(description, program, () -> GuestFiles.locate().root());
    }

    /// Consumer of all arguments, options included.
    static final class AllArguments implements IParameterPreprocessor {
        @Override
        public boolean preprocess(
                Stack<String> words,
                CommandSpec command,
                ArgSpec argument,
                Map<String, Object> information) {
            ForeignCommand foreign = (ForeignCommand) command.userObject();
            foreign.arguments.clear();
            while (!words.isEmpty()) {
                foreign.arguments.add(words.pop());
            }
            return false;
        }
    }

    Program program() {
        return program;
    }

    @Override
    public void describeIn(CommandSpec spec) {
        spec.usageMessage().description(description).customSynopsis(spec.qualifiedName() + " ...");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        // The terminal sends SIGINT to both processes, but kill(1) reaches only this one.
        Thread hook = new Thread(this::endChild, "gpuvm-end-child");
        Runtime.getRuntime().addShutdownHook(hook);
        Process started = start();
        int status = started.waitFor();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already shutting down, and the hook has no process to end.
        }
        return status;
    }

    private synchronized Process start() throws IOException {
        if (ends) {
            throw new CommandFailedException("interrupted");
        }
        Path projectRoot = root.get();
        ProcessBuilder builder = new ProcessBuilder(commandLine(projectRoot)).inheritIO();
        if (!program.folder.isEmpty()) {
            Path folder = projectRoot.resolve(program.folder);
            Files.createDirectories(folder);
            builder.directory(folder.toFile());
        }
        child = builder.start();
        return child;
    }

    private void endChild() {
        Process running;
        synchronized (this) {
            ends = true;
            running = child;
        }
        if (running == null) {
            return;
        }
        running.destroy();
        try {
            if (!running.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                running.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> commandLine(Path projectRoot) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add(optionFile(projectRoot, "every"));
        program.options.forEach(name -> words.add(optionFile(projectRoot, name)));
        String more = System.getenv().getOrDefault("GPUVM_JAVA_OPTS", "").strip();
        words.addAll(more.isEmpty() ? List.of() : List.of(more.split("\\s+")));
        words.add("-Dgpuvm.root=" + projectRoot);
        if (arguments.contains(HelpOption.NAME) || arguments.contains("-h")) {
            words.add("-Dpicocli.usage.width=" + HelpWidth.ofTerminal());
        }
        Path target = projectRoot.resolve(program.module).resolve("target");
        words.addAll(List.of("-cp", "%s/classes:%s/lib/*".formatted(target, target)));
        words.add(program.mainClass);
        program.leading.forEach(word -> words.add(word.replace(ROOT, projectRoot.toString())));
        words.addAll(arguments.isEmpty() ? program.defaults : arguments);
        return words;
    }

    private static String optionFile(Path projectRoot, String name) {
        return "@" + projectRoot.resolve("etc/jvm/%s.options".formatted(name));
    }
}
