package io.gpuvm.bench.cuda;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.bench.ComparisonOptions;
import io.gpuvm.bench.pv.BackendProcess;
import io.gpuvm.bench.pv.RingGuest;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.guests.cuda.CudaLibrary;
import io.gpuvm.guests.cuda.ProgramsInC;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `./gpuvm bench-cuda`: cost of CUDA calls through `libcuda.so.1`.
@Command(
        name = "bench-cuda",
        description = {
            "Compare CUDA programs in C with programs of the Java runtime.",
            "The same workloads run on a private GPU of this process, as a paravirtual guest of a"
                    + " backend, and in C through libcuda.so.1 and the same backend. Afterwards single"
                    + " calls are measured. docs/benchmarks.md has details. The last line of the output"
                    + " is JSON."
        },
        sortOptions = false,
        footer = {
            "",
            "Exit status: 0 all goals are met, 1 a goal is missed, a result is wrong or the run"
                    + " failed, 2 wrong arguments, 3 a part is missing on this host."
        })
public final class CudaBench implements OneLineErrors {
    private static final String PV = "pv";
    private static final String CUDA = "cuda";

    /// Value of `--command-limit`, in seconds: high enough for every measured command.
    private static final String COMMAND_SECONDS = "3600";

    private static final int CALL_WARMUPS = 3;
    private static final long WARMUP_NS = TimeUnit.SECONDS.toNanos(6);

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "WORKLOAD[=SIZE]",
            description =
                    "Workloads to run: mmul, lud, cpy, pincpy, nop, delay; 'none' for calls only."
                            + " Default: all.")
    private List<String> names = ComparedTask.names();

    @Mixin private ComparisonOptions options;

    @Option(names = "--no-calls", description = "Measurement of workloads only, without calls.")
    private boolean noCalls;

    @Override
    public Integer call() throws InterruptedException {
        List<ComparedTask> tasks =
                names.equals(List.of("none"))
                        ? List.of()
                        : names.stream().map(ComparedTask::of).toList();
        CudaLibrary library = CudaLibrary.ofThisBuild();
        ProgramsInC programs = ProgramsInC.prepare();
        List<Goal> goals = new ArrayList<>();
        Map<String, String> guests = new LinkedHashMap<>();
        guests.put(PV, "pv");
        guests.put(CUDA, "cuda");
        List<String> arguments =
                List.of("--gpu", options.gpu(), "--command-limit", COMMAND_SECONDS);
        try (RunFolder folder = new RunFolder(false);
                Children children = new Children();
                BackendProcess backend = BackendProcess.start(folder.path(), guests, arguments)) {
            Map<String, String> environment =
                    library.environment(backend.socket(CUDA), System.getenv());
            Path log = folder.path().resolve("client.log");
            if (!tasks.isEmpty()) {
                ClientInC client =
                        ClientInC.start(programs.workloads("-"), environment, log, children);
                client.awaitGreeting();
                CopyPlacement placement = new CopyPlacement(client, backend, children, log);
                goals.addAll(compare(tasks, backend, client, placement));
                client.end();
            }
            if (!noCalls) {
                ClientInC client = ClientInC.start(programs.calls(), environment, log, children);
                goals.addAll(measureCalls(backend, client));
                client.end();
            }
        }
        boolean usual = tasks.equals(ComparedTask.all()) && options.size(0) == 0;
        return report(goals, usual && !noCalls);
    }

    private List<Goal> compare(
            List<ComparedTask> tasks,
            BackendProcess backend,
            ClientInC client,
            CopyPlacement placement)
            throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<Goal> goals = new ArrayList<>();
        try (NativeGpu own = NativeGpu.open(GpuSpec.parse(options.gpu()));
                GpuContext guest = GpuContext.open(PvTransport.connect(backend.socket(PV)))) {
            for (ComparedTask compared : tasks) {
                Task task =
                        new Task(
                                Workloads.named(compared.workload()),
                                options.size(compared.size()));
                Supplier<WorkloadRatios> measurement =
                        () ->
                                WorkloadRatios.measure(
                                        task,
                                        own.context(),
                                        guest,
                                        client,
                                        rounds(compared.warmups()),
                                        options.seed());
                WorkloadRatios ratios =
                        compared.isCopy() ? placement.apart(measurement) : measurement.get();
                out.println(ratios.line());
                out.flush();
                goals.addAll(compared.goals(ratios));
            }
        }
        return goals;
    }

    private List<Goal> measureCalls(BackendProcess backend, ClientInC client) {
        try (RingGuest ring = new RingGuest(backend.socket(PV))) {
            return CallCosts.measure(ring, client, rounds(CALL_WARMUPS)).goals();
        }
    }

    private Rounds rounds(int usualWarmups) {
        return new Rounds(options.warmups(usualWarmups), WARMUP_NS, options.rounds());
    }

    private int report(List<Goal> goals, boolean complete) {
        PrintWriter out = spec.commandLine().getOut();
        goals.forEach(goal -> out.println(goal.line()));
        boolean met = goals.stream().allMatch(Goal::isMet);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("result", resultOf(met, complete));
        json.put("rounds", options.rounds());
        ObjectNode figures = json.putObject("figures");
        goals.forEach(goal -> goal.addTo(figures));
        out.println(json);
        out.flush();
        return met ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String resultOf(boolean met, boolean complete) {
        if (!met) {
            return "fail";
        }
        return complete ? "pass" : "partial";
    }
}
