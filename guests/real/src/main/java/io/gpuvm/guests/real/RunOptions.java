package io.gpuvm.guests.real;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// What to run.
///
/// @param vms the virtual machines, all at once
/// @param program the guest program, a name under `tests/real-guest/programs`, or several that run
///   one after the other: names with commas between them
/// @param arguments what each of the programs is given
/// @param moduleParameters parameters of the nouveau module, for instance `config=NvMSI=0`
/// @param reloadParameters further ones when the driver is loaded again
/// @param reloads how often the driver is unloaded and loaded again, the programs running each time
/// @param timeout for each guest, from power-on to power-off
/// @param server what serves the GPU
/// @param keepFiles whether consoles and logs stay on disk afterwards
public record RunOptions(
        List<VmSpec> vms,
        String program,
        List<String> arguments,
        List<String> moduleParameters,
        List<String> reloadParameters,
        int reloads,
        Duration timeout,
        ServerSpec server,
        boolean keepFiles) {

    /// What a run takes unless it is told otherwise.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(300);

    /// The GPU that a run has unless it is told otherwise.
    public static final String DEFAULT_GPU = "soft";

    /// The kernel of machines that name none.
    public static final String DEFAULT_KERNEL = "6.12";

    public static final String DEFAULT_IDLE = "backoff";

    public RunOptions {
        vms = List.copyOf(vms);
        arguments = List.copyOf(arguments);
        moduleParameters = List.copyOf(moduleParameters);
        reloadParameters = List.copyOf(reloadParameters);
        if (vms.isEmpty()) {
            throw new IllegalArgumentException("vms=0, limit=at least 1");
        }
        arguments.forEach(RunOptions::requireOneWord);
        moduleParameters.forEach(RunOptions::requireOneWord);
        reloadParameters.forEach(RunOptions::requireOneWord);
        if (programs(program).isEmpty()) {
            throw new IllegalArgumentException("program='%s' names none".formatted(program));
        }
    }

    /// The names of the guest programs, in the order in which they run.
    public List<String> programs() {
        return programs(program);
    }

    /// The names in a text that has commas between them.
    static List<String> programs(String text) {
        return Stream.of(text.split(",")).filter(name -> !name.isEmpty()).toList();
    }

    /// One virtual machine on this build's backend in pass-through mode.
    public static RunOptions of(String kernel, String program) {
        return new RunOptions(
                List.of(VmSpec.of("vm0", kernel, VmSpec.DEFAULT_MODE)),
                program,
                List.of(),
                List.of(),
                List.of(),
                0,
                DEFAULT_TIMEOUT,
                new ServerSpec.Backend(DEFAULT_GPU, DEFAULT_IDLE),
                false);
    }

    /// The same on several machines at once, which share one backend.
    ///
    /// @param machines each with its own name
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
                keepFiles);
    }

    /// The same with the driver unloaded and loaded again.
    ///
    /// @param parameters further parameters of the module, from the second loading on
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
                keepFiles);
    }

    /// They travel on the guest's kernel command line, which knows no quoting of ours.
    private static void requireOneWord(String text) {
        if (text.isEmpty() || text.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("'%s' must be one word".formatted(text));
        }
    }
}
