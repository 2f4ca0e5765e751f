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
        description = "Run a kernel from a file on a GPU.",
        sortOptions = false,
        footer = {
            "",
            "Forms of --arg (N also as 0xff; SIZE with the suffixes K, M and G):",
            "  i32:N u32:N i64:N u64:N   integer",
            "  f32:X f64:X               floating-point number",
            "  in:FILE                   address of memory with the file's contents",
            "  inout:FILE                like in:FILE; the result replaces the file",
            "  out:FILE:SIZE             address of zeros; the result is written to the file",
            "  zero:SIZE                 address of zeros",
            "  fill:SIZE:BYTE            address of memory in which each byte is BYTE",
            "  {ARG;ARG...}              structure",
            "",
            "Example, c = a + b for 1000 numbers:",
            "  gpuvm exec docs/examples/vadd.sass --kernel vadd --grid 4 --block 256 \\",
            "      --arg in:a.bin --arg in:b.bin --arg out:c.bin:4000 --arg u32:1000",
            "",
            "Files are written only if all launches succeed.",
            "Exit status: 0 success, 1 failure of the kernel or of the GPU, 2 wrong"
                    + " arguments or an unusable file, 130 and 143 after SIGINT (Ctrl-C) and SIGTERM,"
                    + " also during a launch."
        })
final class ExecCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "Cubin for sm_20 or sm_21, source in PTX, fatbin with one of these, or source"
                            + " (.sass) for 'gpuvm asm'.")
    private Path file;

    @Option(
            names = "--list",
            description = "List of the kernels, their parameters and resources; nothing is run.")
    private boolean list;

    @Mixin private LaunchOptions launch;

    @Option(
            names = "--time",
            description = "Durations of the phases: load, copy in, launch, copy out.")
    private boolean time;

    @Mixin private GpuAccess gpu;

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
            GpuGuard.use(opener, opened -> run.on(opened.context(), arguments, clock, out));
        }
        if (time) {
            clock.print(out);
        }
    }
}
