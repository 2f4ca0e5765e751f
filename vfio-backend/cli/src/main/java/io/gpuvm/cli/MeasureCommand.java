package io.gpuvm.cli;

import io.gpuvm.workloads.request.MeasurementRequests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `gpuvm measure`: the program that `gpuvm evaluate` measures.
@Command(
        name = "measure",
        sortOptions = false,
        description = {
            "Run measurements that standard input requests.",
            "Each line of standard input is a request, and receives one line as its answer, both"
                    + " in JSON; docs/evaluation.md specifies them. The program ends at the end of"
                    + " its input."
        },
        footer = {
            "",
            "Example:",
            "  echo '{\"do\":\"run\",\"workload\":\"mmul\",\"size\":64}' | gpuvm measure",
            "",
            "Exit status: 0 at the end of the input, 1 the GPU cannot be used, 2 wrong arguments."
        })
final class MeasureCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private GpuAccess gpu;

    @Override
    public Integer call() {
        long startNs = System.nanoTime();
        GpuGuard.use(gpu.opener(), opened -> serve(opened, System.nanoTime() - startNs));
        return ExitCode.OK;
    }

    private void serve(GpuSession opened, long contextNs) {
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (MeasurementRequests requests =
                new MeasurementRequests(opened.context(), opened::counted)) {
            print(out, requests.greeting(contextNs));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                print(out, requests.answer(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void print(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
