package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.guests.cuda.CudaLibrary;
import io.gpuvm.guests.cuda.GuestPrograms;
import io.gpuvm.sched.measure.Fairness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of one CUDA C++ program, compiled by `gpuvm cc`, in processes and in virtual machines: the
/// same file runs in four guests of a backend at once, verifies its results, and gets time in
/// proportion to the weights of the guests.
@Tag("realguest")
@Tag("alone")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WeightedProgramsTest {
    private static final String KERNEL = RunOptions.DEFAULT_KERNEL;
    private static final int GUESTS = 4;
    private static final String SOURCE = "tests/cuda-programs/life.cu";
    private static final String PROGRAM = "life";

    /// Board whose generations take milliseconds, and number of generations of a run: a command of
    /// the GPU is short, compared with the time of a measurement.
    private static final List<String> ARGUMENTS = List.of("128", "4");

    private static final Pattern PASSED = Pattern.compile("(.*: )?life: passed: runs=([0-9]+), .*");
    private static final String MORE_THAN_ONE = "[2-9]|[1-9][0-9]+";
    private static final double LEAST_JAIN = 0.97;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final BackendCounters counters = new BackendCounters(LIMIT);
    private final RunListener printer = new ProgressPrinter(System.err, false);
    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();

    @AfterEach
    void end() {
        children.close();
        folder.close();
    }

    @Test
    void givenWeights1To4_whenProgramRunsInMachineAndProcesses_thenSharesFollowWeights()
            throws Exception {
        run(List.of(2), Duration.ofSeconds(1), Duration.ofSeconds(4));
    }

    @Test
    @Tag("long")
    void givenWeights1To4_whenProgramRunsInTwoMachinesForLonger_thenSharesFollowWeights()
            throws Exception {
        run(List.of(0, 3), Duration.ofSeconds(3), Duration.ofSeconds(20));
    }

    /// @param machines numbers of the guests that are virtual machines; the others are processes.
    ///   The weight of a guest is its number plus 1
    private void run(List<Integer> machines, Duration warmUp, Duration measured) throws Exception {
        RunOptions options =
                RunOptions.of(KERNEL, RunOptions.CUDA)
                        .withTimeout(LIMIT)
                        .withArguments(
                                "endless=%s,%s".formatted(PROGRAM, String.join(",", ARGUMENTS)));
        GuestFiles files = PreparedGuests.orSkip(options);
        CudaLibrary library = CudaLibrary.ofThisBuild();
        Path programs = Files.createDirectory(folder.path().resolve("programs"));
        Path program = compile(files);
        new GuestPrograms(programs, library).add(program);
        List<VmSpec> vms = IntStream.range(0, GUESTS).mapToObj(i -> vm(i, machines)).toList();
        Process backend = serve(vms);

        List<LiveGuest> guests = new ArrayList<>();
        for (int machine : machines) {
            guests.add(
                    LiveGuest.powerOn(
                            vms.get(machine),
                            options.withFiles(programs),
                            files,
                            folder,
                            children,
                            printer));
        }
        counters.await(
                all -> machines.stream().allMatch(vm -> BackendCounters.isComputing(all, vm)),
                "the machines compute");
        List<Process> processes = new ArrayList<>();
        for (VmSpec vm : vms) {
            if (!machines.contains(vms.indexOf(vm))) {
                processes.add(start(program, vm.name(), library));
            }
        }
        counters.await(
                all ->
                        IntStream.range(0, GUESTS)
                                .allMatch(vm -> BackendCounters.isComputing(all, vm)),
                "all compute");
        requireWeightedShares(counters.measure(warmUp, measured, GUESTS, "measurement"));

        for (LiveGuest guest : guests) {
            guest.send("");
            assertTrue(guest.awaitEnd(LIMIT), guest.name() + ": did not end within " + LIMIT);
            assertEquals(List.of(), guest.verdict().failures(), guest.name());
            requirePassed(guest.name(), guest.verdict().output());
        }
        for (Process process : processes) {
            process.destroy();
            assertEquals(0, process.waitFor());
        }
        for (VmSpec vm : vms) {
            if (!machines.contains(vms.indexOf(vm))) {
                requirePassed(vm.name(), Files.readAllLines(log(vm.name())));
            }
        }
        Children.end(backend);
    }

    /// Compiles the program, or skips the test if no clang is installed.
    private Path compile(GuestFiles files) throws InterruptedException {
        Path program = folder.path().resolve(PROGRAM);
        Path log = log("cc");
        List<String> arguments =
                List.of("cc", files.root().resolve(SOURCE).toString(), "-o", program.toString());
        List<String> jvmOptions = new ArrayList<>(JvmOptions.brief());
        jvmOptions.add("-Dgpuvm.root=" + files.root());
        Process compiler = children.start(ThisBuild.gpuvm(jvmOptions, arguments), log, log);
        int status = compiler.waitFor();
        List<String> said = RunFolder.tail(log, Integer.MAX_VALUE);
        assumeTrue(status != 3, said::toString);
        assertEquals(0, status, said::toString);
        return program;
    }

    private static VmSpec vm(int number, List<Integer> machines) {
        String weight = String.valueOf(number + 1);
        return machines.contains(number)
                ? new VmSpec(
                        "vm" + number,
                        KERNEL,
                        Map.of("mode", "cuda", "via", "vfio-user", "weight", weight))
                : new VmSpec("vm" + number, KERNEL, Map.of("mode", "cuda", "weight", weight));
    }

    private Process serve(List<VmSpec> vms) throws InterruptedException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("serve", "--gpu", "soft,vram=256M", "--policy", "fair"));
        arguments.addAll(List.of("--stats", "1"));
        vms.forEach(vm ->
                arguments.addAll(List.of("--vm", vm.backendOption(folder.socket(vm.name())))));
        return ServerStart.start(
                arguments, ServerProcess.DEFAULT, folder, children, counters::addLine);
    }

    private Process start(Path program, String vm, CudaLibrary library) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(ARGUMENTS);
        return children.start(
                command, library.environment(folder.socket(vm), System.getenv()), log(vm), log(vm));
    }

    private Path log(String name) {
        return folder.path().resolve(name + ".log");
    }

    private static void requirePassed(String name, List<String> output) {
        boolean passed =
                output.stream()
                        .map(PASSED::matcher)
                        .anyMatch(line -> line.matches() && line.group(2).matches(MORE_THAN_ONE));
        assertTrue(passed, () -> name + ": " + output);
    }

    /// Requires that the seconds that each guest used are proportional to its weight.
    private static void requireWeightedShares(BackendCounters.Use use) {
        double charged = Fairness.jain(perWeight(use.charged()));
        double device = Fairness.jain(perWeight(use.device()));
        System.err.printf(
                Locale.ROOT, "weights 1 to 4: %s; Jain %.4f, %.4f%n", use, charged, device);
        assertTrue(charged >= LEAST_JAIN, use::toString);
        assertTrue(device >= LEAST_JAIN, use::toString);
    }

    private static double[] perWeight(double[] seconds) {
        double[] each = seconds.clone();
        Arrays.setAll(each, vm -> seconds[vm] / (vm + 1));
        return each;
    }
}
