package io.gpuvm.guests.real;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tests/real-guest/run`: boots real guests, runs a program in each, prints one line of JSON.
///
/// Exit status: 0 pass, 1 fail, 2 wrong arguments, 3 guest setup failed.
@Command(
        name = "run",
        sortOptions = false,
        description = {
            "Boot virtual machines with unmodified QEMU, Linux and nouveau on a backend, and run a",
            "program in each. The last line is JSON. Exit status 0 if all machines passed."
        })
public final class RealGuestMain implements Callable<Integer> {
    @Option(
            names = "--vm",
            paramLabel = "KEY=VALUE,...",
            description = {
                "A virtual machine (repeatable). kernel=6.1|6.12|7.2; all other keys",
                "(mode=passthrough, ...) are the backend's. Default: one machine of --mode."
            })
    private List<String> vmTexts = List.of();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = VmSpec.DEFAULT_MODE,
            description = "Mode of the machines of --vms. Default: ${DEFAULT-VALUE}.")
    private String mode;

    @Option(
            names = "--vms",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of machines, without --vm. Default: ${DEFAULT-VALUE}.")
    private int vmCount;

    @Option(
            names = "--kernel",
            paramLabel = "VERSION|FILE",
            defaultValue = RunOptions.DEFAULT_KERNEL,
            description = {
                "Kernel of machines without kernel=: 6.1, 6.12, 7.2, or the path of a bzImage.",
                "Default: ${DEFAULT-VALUE}."
            })
    private String kernel;

    @Option(
            names = "--modules",
            paramLabel = "DIR",
            description = "Folder of the kernel's modules, with --kernel FILE.")
    private Path modules;

    @Option(
            names = "--module-param",
            paramLabel = "NAME=VALUE",
            description = "Parameter of nouveau, for instance config=NvMSI=0 (repeatable).")
    private List<String> moduleParameters = List.of();

    @Option(
            names = "--reload-param",
            paramLabel = "NAME=VALUE",
            description = "Additional parameter when --reload loads nouveau again (repeatable).")
    private List<String> reloadParameters = List.of();

    @Option(
            names = "--reload",
            paramLabel = "N",
            arity = "0..1",
            defaultValue = "0",
            fallbackValue = "1",
            description = "Number of times to unload and load the driver again (default of N: 1).")
    private int reloads;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description =
                    "Timeout per machine, from power-on to power-off. Default: ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    @Option(
            names = "--gpu",
            paramLabel = "KIND[,KEY=VALUE]...",
            defaultValue = RunOptions.DEFAULT_GPU,
            description = "The backend's --gpu. Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Mixin private ExecutionModeOption engine;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = RunOptions.DEFAULT_IDLE,
            description = "The backend's --idle. Default: ${DEFAULT-VALUE}.")
    private String idle;

    @Option(
            names = "--server",
            paramLabel = "COMMAND",
            description = {
                "vfio-user server to run instead of the backend, one process per machine. Words",
                "separated by spaces, no shell; {socket} stands for the socket's path."
            })
    private String serverCommand;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description = "The backend's --record. A replay requires machines with map=none.")
    private Path recording;

    @Option(names = "--keep", description = "Keep consoles and logs, and print their path.")
    private boolean keep;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print the whole kernel log.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            description = {
                "Program of tests/real-guest/programs: probe, copy, copy-small, fault, gpu-trap,",
                "stream, cost, gles-clear, gles-compute. A list with commas runs one program",
                "after the other."
            })
    private String program;

    @Parameters(index = "1..*", paramLabel = "ARGUMENT", description = "Arguments of each program.")
    private List<String> arguments = List.of();

    public static void main(String[] args) {
        System.exit(GuestCommandLine.execute(new RealGuestMain(), args));
    }

    @Override
    public Integer call() throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        RunOptions options = options(files);
        RunReport report =
                RealGuestRun.run(options, files, new ProgressPrinter(System.err, verbose));
        PrintStream out = System.out;
        out.println(report.toJson());
        return report.passed() ? CommandLine.ExitCode.OK : GuestCommandLine.FAILED;
    }

    private RunOptions options(GuestFiles files) {
        String owned = engine.in(gpu);
        String defaultKernel = kernel;
        if (Files.isRegularFile(Path.of(kernel))) {
            if (modules == null) {
                throw new IllegalArgumentException("--kernel FILE needs --modules DIR");
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
                keep);
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
