package io.gpuvm.guests.real;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Options of a run.
///
/// @param vms virtual machines, which run concurrently
/// @param program name of a guest program in `tests/real-guest/programs`, or several names
///   separated by commas, which run in sequence
/// @param arguments arguments of each program; those of [#WORKLOAD] and [#WORKLOAD_PAIR] are
///   arguments of `gpuvm run`
/// @param moduleParameters parameters of the nouveau module, for instance `config=NvMSI=0`
/// @param reloadParameters additional parameters when the driver is reloaded
/// @param reloads number of times that the driver is unloaded and reloaded; the programs run after
///   each load
/// @param timeout timeout of each guest, from power-on to power-off
/// @param server server of the GPU
/// @param hardware hardware of each virtual machine
/// @param files folder whose content each guest has in `/opt/files`, or null
/// @param keepFiles whether consoles and logs are kept after the run
public record RunOptions(
        List<VmSpec> vms,
        String program,
        List<String> arguments,
        List<String> moduleParameters,
        List<String> reloadParameters,
        int reloads,
        Duration timeout,
        ServerSpec server,
        GuestHardware hardware,
        Path files,
        boolean keepFiles) {

    /// Program that runs workloads: `gpuvm run` on the guest's GPU.
    public static final String WORKLOAD = "workload";

    /// First argument of [#WORKLOAD] for `gpuvm measure` instead of `gpuvm run`: the guest reads
    /// requests from its second serial port, and writes the answers there. As the only argument of
    /// [#CUDA], the same for the workloads in C.
    public static final String MEASURE = "measure";

    /// Program that runs two processes of `gpuvm run` at the same time, each with all arguments. It
    /// reports no measurement.
    public static final String WORKLOAD_PAIR = "workload-pair";

    /// Program that runs the runtime's tests on the guest's nouveau. Its arguments are names of
    /// tests; without arguments, all tests run.
    public static final String SUITE = "suite";

    /// Program that runs CUDA programs on a backend's PCI function. Its arguments are the programs,
    /// which run at the same time, each in a process of its own.
    public static final String CUDA = "cuda";

    /// The only argument of [#CUDA] for a program that runs commands on request, and measures them:
    /// `tests/cuda-clients/programs/c/timed.c`. Its requests and answers pass through the second
    /// serial port.
    public static final String TIMED = "timed";

    /// Programs that need an image of their own, and cannot share their arguments: scripts of
    /// `tests/real-guest/guest`.
    private static final List<String> ALONE = List.of(WORKLOAD, WORKLOAD_PAIR, SUITE, CUDA);

    /// Programs that run in paravirtual machines, by mode.
    private static final Map<String, List<String>> WITHOUT_DRIVER =
            Map.of(VmSpec.PV, List.of(WORKLOAD, WORKLOAD_PAIR), VmSpec.CUDA, List.of(CUDA));

    /// Default timeout of each guest.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(300);

    /// Default value of the backend's `--gpu`.
    public static final String DEFAULT_GPU = "soft";

    /// Default kernel.
    public static final String DEFAULT_KERNEL = "6.12";

    public static final String DEFAULT_IDLE = "backoff";

    public RunOptions {
        vms = List.copyOf(vms);
        arguments = List.copyOf(arguments);
        moduleParameters = List.copyOf(moduleParameters);
        reloadParameters = List.copyOf(reloadParameters);
        if (vms.isEmpty()) {
            throw new IllegalArgumentException("vms=0, expected at least 1");
        }
        arguments.forEach(RunOptions::requireOneWord);
        moduleParameters.forEach(RunOptions::requireOneWord);
        reloadParameters.forEach(RunOptions::requireOneWord);
        if (programs(program).isEmpty()) {
            throw new IllegalArgumentException(
                    "program='%s', expected at least one name".formatted(program));
        }
        requireProgramsOfTheirGuests(vms, program);
    }

    /// Returns the names of the guest programs, in the order in which they run.
    public List<String> programs() {
        return programs(program);
    }

    /// Returns whether a program starts `gpuvm run`, so that its arguments are those of the
    /// command.
    static boolean runsWorkloads(String program) {
        return program.equals(WORKLOAD) || program.equals(WORKLOAD_PAIR);
    }

    /// Returns whether a program is a script of `tests/real-guest/guest`.
    static boolean isScript(String program) {
        return ALONE.contains(program);
    }

    /// Returns the names in a comma-separated text.
    static List<String> programs(String text) {
        return Stream.of(text.split(",")).filter(name -> !name.isEmpty()).toList();
    }

    /// Returns options for one virtual machine on this build's backend: in pass-through mode, or
    /// with the function that [#CUDA] needs.
    public static RunOptions of(String kernel, String program) {
        return new RunOptions(
                List.of(
                        program.equals(CUDA)
                                ? new VmSpec("vm0", kernel, VmSpec.CUDA_FUNCTION)
                                : VmSpec.of("vm0", kernel, VmSpec.DEFAULT_MODE)),
                program,
                List.of(),
                List.of(),
                List.of(),
                0,
                DEFAULT_TIMEOUT,
                new ServerSpec.Backend(DEFAULT_GPU, DEFAULT_IDLE),
                GuestHardware.DEFAULT,
                null,
                false);
    }

    /// Returns these options with other machines, which share one backend.
    ///
    /// @param machines machines with different names
    public RunOptions withVms(VmSpec... machines) {
        return new RunOptions(
                List.of(machines),
                program,
                arguments,
                moduleParameters,
                reloadParameters,
                reloads,
                timeout,
                server,
                hardware,
                files,
                keepFiles);
    }

    public RunOptions withArguments(String... words) {
        return new RunOptions(
                vms,
                program,
                List.of(words),
                moduleParameters,
                reloadParameters,
                reloads,
                timeout,
                server,
                hardware,
                files,
                keepFiles);
    }

    public RunOptions withTimeout(Duration limit) {
        return new RunOptions(
                vms,
                program,
                arguments,
                moduleParameters,
                reloadParameters,
                reloads,
                limit,
                server,
                hardware,
                files,
                keepFiles);
    }

    public RunOptions withModuleParameters(String... parameters) {
        return new RunOptions(
                vms,
                program,
                arguments,
                List.of(parameters),
                reloadParameters,
                reloads,
                timeout,
                server,
                hardware,
                files,
                keepFiles);
    }

    /// Returns these options with reloads of the driver.
    ///
    /// @param parameters additional parameters of the module when it is reloaded
    public RunOptions withReloads(int times, String... parameters) {
        return new RunOptions(
                vms,
                program,
                arguments,
                moduleParameters,
                List.of(parameters),
                times,
                timeout,
                server,
                hardware,
                files,
                keepFiles);
    }

    public RunOptions withGpu(String gpu) {
        return withServer(new ServerSpec.Backend(gpu, DEFAULT_IDLE));
    }

    public RunOptions withServer(ServerSpec serves) {
        return new RunOptions(
                vms,
                program,
                arguments,
                moduleParameters,
                reloadParameters,
                reloads,
                timeout,
                serves,
                hardware,
                files,
                keepFiles);
    }

    public RunOptions withHardware(GuestHardware other) {
        return new RunOptions(
                vms,
                program,
                arguments,
                moduleParameters,
                reloadParameters,
                reloads,
                timeout,
                server,
                other,
                files,
                keepFiles);
    }

    /// Returns these options with a folder of files for each guest.
    ///
    /// @param folder folder whose content the guests have in `/opt/files`
    public RunOptions withFiles(Path folder) {
        return new RunOptions(
                vms,
                program,
                arguments,
                moduleParameters,
                reloadParameters,
                reloads,
                timeout,
                server,
                hardware,
                folder,
                keepFiles);
    }

    /// Requires that each program of [#ALONE] runs alone, that paravirtual machines run only
    /// programs that need no driver, and that [#CUDA] runs only in machines with its function.
    private static void requireProgramsOfTheirGuests(List<VmSpec> vms, String program) {
        List<String> names = programs(program);
        for (String name : ALONE) {
            if (names.contains(name) && names.size() > 1) {
                throw new IllegalArgumentException(
                        "program='%s', expected %s alone".formatted(program, name));
            }
        }
        for (VmSpec vm : vms) {
            List<String> possible = WITHOUT_DRIVER.getOrDefault(vm.mode(), names);
            if (names.stream().noneMatch(possible::contains)) {
                throw new IllegalArgumentException(
                        "program='%s', expected one of %s in %s with mode=%s"
                                .formatted(
                                        program,
                                        String.join(", ", possible),
                                        vm.name(),
                                        vm.mode()));
            }
            if (names.contains(CUDA) && !vm.mode().equals(VmSpec.CUDA)) {
                throw new IllegalArgumentException(
                        "%s: mode=%s, expected cuda with program='%s'"
                                .formatted(vm.name(), vm.mode(), program));
            }
        }
    }

    /// Requires one word, because the guest's init splits the kernel command line at whitespace.
    private static void requireOneWord(String text) {
        if (text.isEmpty() || text.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("argument='%s', expected one word".formatted(text));
        }
    }
}
