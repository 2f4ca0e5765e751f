package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.module.ModuleException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm exec`: runs one kernel of a file.
@Command(
        name = "exec",
        description = "Runs a kernel on a GPU of this host, or as a guest on one that is shared.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Example, c = a + b for 1000 numbers:",
            "  gpuvm exec docs/examples/vadd.sass --kernel vadd --grid 4 --block 256 \\",
            "      --arg in:a.bin --arg in:b.bin --arg out:c.bin:4000 --arg u32:1000",
            "",
            "Results appear when everything went well; otherwise files stay as they were. Exit status",
            "0: done; 1: the kernel, or something else, failed while it ran; 2: wrong arguments, or a",
            "file that cannot be used; 130, 143: ended by Ctrl-C, SIGTERM, also in the midst of a launch."
        })
final class ExecCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "A cubin for sm_20 or sm_21, a fatbin with one, or a source (.sass) as 'asm'"
                            + " takes it.")
    private Path file;

    @Option(
            names = "--list",
            description = "Run nothing: print the kernels, their parameters and what they need.")
    private boolean list;

    @Mixin private LaunchOptions launch;

    @Option(
            names = "--time",
            description = "Print how long the phases took: load, copy in, launch, copy out.")
    private boolean time;

    @Mixin private GpuWay gpu;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Cubin module = ModuleFile.read(file);
        if (list) {
            list(module, out);
        } else {
            run(module, out);
        }
        out.flush();
        return 0;
    }

    private void list(Cubin module, PrintWriter out) {
        try {
            KernelListing.print(module, out);
        } catch (ModuleException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private void run(Cubin module, PrintWriter out) {
        ExecRequest run = new ExecRequest(module, launch.kernel(), launch.shape(), launch.repeat());
        Supplier<GpuSession> opener = gpu.opener();
        PhaseClock clock = new PhaseClock();
        try (KernelArguments arguments =
                new KernelArguments(launch.arguments(), launch.textures())) {
            GpuGuard.use(opener, opened -> run.on(opened.context(), arguments, clock));
        }
        if (time) {
            clock.print(out);
        }
    }
}
