package io.gpuvm.guests.real;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tests/real-guest/run`: boots real guests, runs a program in each, and prints one line of JSON.
///
/// Exit status: 0 pass, 1 fail, 2 wrong arguments, 3 guest setup failed.
@Command(
        name = "real-guest",
        sortOptions = false,
        description = {
            "Boot real guests, and run a program in each.",
            "The guests are virtual machines with unmodified QEMU, Linux and nouveau on a"
                    + " backend. The last line of the output is JSON."
        },
        footer = {
            "",
            "Examples:",
            "  gpuvm real-guest --mode fv --vms 2 --gpu soft,vram=1G copy",
            "  gpuvm real-guest --vm mode=fv,kernel=6.1 --vm mode=fv,kernel=7.2 workload mmul=256",
            "",
            "Exit status: 0 all passed, 1 a failure, 2 wrong arguments, 3 the set-up of the"
                    + " machines failed."
        })
public final class RealGuestMain implements OneLineErrors {
    @Option(
            names = "--vm",
            paramLabel = "KEY=VALUE,...",
            description =
                    "Virtual machine; repeatable. Keys: kernel=6.1|6.12|7.2, and those of 'gpuvm"
                            + " serve --vm'. Default: as many as --vms, each in --mode.")
    private List<String> vmTexts = List.of();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = VmSpec.DEFAULT_MODE,
            description = "Mode of the virtual machines of --vms. Default: ${DEFAULT-VALUE}.")
    private String mode;

    @Option(
            names = "--vms",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of virtual machines without --vm. Default: ${DEFAULT-VALUE}.")
    private int vmCount;

    @Option(
            names = "--kernel",
            paramLabel = "VERSION|FILE",
            defaultValue = RunOptions.DEFAULT_KERNEL,
            description =
                    "Linux of virtual machines without the key kernel: 6.1, 6.12, 7.2, or the path"
                            + " of a bzImage. Default: ${DEFAULT-VALUE}.")
    private String kernel;

    @Option(
            names = "--modules",
            paramLabel = "DIR",
            description = "Folder of the kernel's modules, for --kernel FILE.")
    private Path modules;

    @Option(
            names = "--module-param",
            paramLabel = "NAME=VALUE",
            description =
                    "Parameter of nouveau, for instance config=NvMSI=0; repeatable. Default: none.")
    private List<String> moduleParameters = List.of();

    @Option(
            names = "--reload-param",
            paramLabel = "NAME=VALUE",
            description =
                    "Additional parameter of nouveau when --reload loads it again; repeatable."
                            + " Default: none.")
    private List<String> reloadParameters = List.of();

    @Option(
            names = "--reload",
            paramLabel = "N",
            arity = "0..1",
            defaultValue = "0",
            fallbackValue = "1",
            description =
                    "Number of times that nouveau is unloaded and reloaded; 1 if N is absent."
                            + " Default: ${DEFAULT-VALUE}.")
    private int reloads;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description =
                    "Timeout of each virtual machine from power-on to power-off, in seconds."
                            + " Default: ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    @Option(
            names = "--gpu",
            paramLabel = "KIND[,KEY=VALUE]...",
            defaultValue = RunOptions.DEFAULT_GPU,
            description = "GPU of the backend, as for 'gpuvm serve'. Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Mixin private ExecutionModeOption engine;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = RunOptions.DEFAULT_IDLE,
            description =
                    "Idle mode of the backend, as for 'gpuvm serve'. Default: ${DEFAULT-VALUE}.")
    private String idle;

    @Option(
            names = "--accel",
            paramLabel = "tcg|kvm|auto",
            defaultValue = "tcg",
            description =
                    "Execution of the guests' instructions: tcg emulates a processor, kvm requires"
                            + " /dev/kvm, and auto is kvm if this user may use /dev/kvm and the"
                            + " processors have vmx or svm, else tcg."
                            + " Default: ${DEFAULT-VALUE}.")
    private String accelerator;

    @Option(
            names = "--files",
            paramLabel = "DIR",
            description = "Folder whose content each guest has in /opt/files. Default: none.")
    private Path programFiles;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of processors of each virtual machine, 1 to 16."
                            + " Default: ${DEFAULT-VALUE}.")
    private int processors;

    @Option(
            names = "--server",
            paramLabel = "COMMAND",
            description =
                    "vfio-user server in place of the backend, one process for each virtual"
                            + " machine: words separated by spaces, executed without a shell;"
                            + " {socket} stands for the path of the socket. Default: the backend.")
    private String serverCommand;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description =
                    "Folder for the backend's recording; a replay requires virtual machines with"
                            + " map=none. Default: none.")
    private Path recording;

    @Option(
            names = "--keep",
            description = "Consoles and logs kept after the run, in a folder that is printed.")
    private boolean keep;

    @Option(
            names = {"-v", "--verbose"},
            description = "Output of the whole kernel log.")
    private boolean verbose;

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            description =
                    "Program of tests/real-guest/programs: probe, copy, copy-small, fault,"
                            + " gpu-trap, stream, cost, gles-clear or gles-compute; or several, to"
                            + " run in sequence, with commas. Or workload: 'gpuvm run' in the"
                            + " guest. Or workload-pair: two processes of 'gpuvm run' at the same"
                            + " time. Or suite: the runtime's tests on the guest's nouveau. Or"
                            + " cuda, in machines with mode=cuda,via=vfio-user: CUDA programs, each"
                            + " in a process of its own.")
    private String program;

    @Parameters(
            index = "1..*",
            paramLabel = "ARGUMENT",
            description =
                    "Arguments of each program. After workload and workload-pair: workloads"
                            + " and options of 'gpuvm run'. After suite: names of tests, for instance CopyTest;"
                            + " without a name, all tests run. After cuda: vectoradd, jcuda, and the workloads"
                            + " mmul=N, lud=N, cpy=N, pincpy=N, nop=N, delay=N; with --files also"
                            + " program=NAME[,ARGUMENT]... for a program of DIR.")
    private List<String> arguments = List.of();

    private final Consumer<List<String>> workloadCheck;

    /// @param workloadCheck throws an exception if arguments of the program `workload` are wrong,
    ///   before a guest is powered on
    public RealGuestMain(Consumer<List<String>> workloadCheck) {
        this.workloadCheck = workloadCheck;
    }

    /// Makes all words after the program's name arguments of the program, even words in the form of
    /// options.
    @Spec
    void setSpec(CommandSpec spec) {
        spec.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        RunOptions options = options(files);
        RunReport report =
                RealGuestRun.run(options, files, new ProgressPrinter(System.err, verbose));
        PrintStream out = System.out;
        out.println(report.toJson());
        return report.passed() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private RunOptions options(GuestFiles files) {
        if (RunOptions.programs(program).stream().anyMatch(RunOptions::runsWorkloads)) {
            workloadCheck.accept(arguments);
        } else {
            arguments.forEach(RealGuestMain::requireNoOption);
        }
        GuestHardware hardware =
                new GuestHardware(Accelerator.parse(accelerator), processors, HostProcessors.ALL);
        String owned = engine.in(gpu);
        String defaultKernel = kernel;
        if (Files.isRegularFile(Path.of(kernel))) {
            if (modules == null) {
                throw new IllegalArgumentException("--kernel FILE: expected --modules DIR");
            }
            List<String> setup = List.of("--kernel", kernel, "--modules", modules.toString());
            defaultKernel = files.prepareFor(RunOptions.programs(program), setup).getLast();
        }
        List<VmSpec> vms = vms(defaultKernel);
        prepareKernels(files, vms, defaultKernel);
        return new RunOptions(
                vms,
                program,
                arguments,
                moduleParameters,
                reloadParameters,
                reloads,
                Duration.ofSeconds(timeoutSeconds),
                serverCommand == null
                        ? new ServerSpec.Backend(owned, idle, recording)
                        : new ServerSpec.External(serverCommand),
                hardware,
                programFiles,
                keep);
    }

    private static void requireNoOption(String argument) {
        if (argument.startsWith("-")) {
            throw new IllegalArgumentException(
                    "argument=%s, expected no option after the program".formatted(argument));
        }
    }

    private List<VmSpec> vms(String defaultKernel) {
        List<VmSpec> vms = new ArrayList<>();
        for (String text : vmTexts) {
            vms.add(VmSpec.parse("vm" + vms.size(), text, defaultKernel));
        }
        while (vmTexts.isEmpty() && vms.size() < vmCount) {
            vms.add(VmSpec.of("vm" + vms.size(), defaultKernel, mode));
        }
        return vms;
    }

    private void prepareKernels(GuestFiles files, List<VmSpec> vms, String defaultKernel) {
        Set<String> kernels = new LinkedHashSet<>();
        vms.forEach(vm -> kernels.add(vm.kernel()));
        if (!defaultKernel.equals(kernel)) {
            kernels.remove(defaultKernel);
        }
        if (!kernels.isEmpty()) {
            List<String> setup = new ArrayList<>();
            kernels.forEach(name -> setup.addAll(List.of("--kernel", name)));
            files.prepareFor(RunOptions.programs(program), setup);
        }
    }
}
