package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.CopySample;
import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.EvaluatedWorkload.WorkAmount;
import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.EvaluationHost;
import io.gpuvm.evaluation.data.EvaluationRounds;
import io.gpuvm.evaluation.data.GuestStart;
import io.gpuvm.evaluation.data.MemorySample;
import io.gpuvm.evaluation.data.QueueDelay;
import io.gpuvm.evaluation.data.ResultGap;
import io.gpuvm.evaluation.data.ScalingSample;
import io.gpuvm.evaluation.data.ShareSeries;
import io.gpuvm.evaluation.data.TransferSample;
import io.gpuvm.evaluation.data.WorkloadSample;
import io.gpuvm.evaluation.data.WorkloadSample.GpuTimes;
import io.gpuvm.evaluation.data.WorkloadSample.PhaseTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Generator of plausible data: times follow a model of each configuration with random noise. The
/// same seed generates the same data.
final class Fixture {
    private static final List<Model> MODELS =
            List.of(
                    new Model("native", "process", "native", 1, 0, 0, false),
                    new Model("pv-process", "process", "native", 1.05, 30_000, 0, false),
                    new Model("pv-process-single", "process", "native", 1.08, 90_000, 0, false),
                    new Model("cuda-process", "process", "native", 1.02, 20_000, 0, false),
                    new Model("pt-trapped", "machine", "pt-mapped", 1.1, 800_000, 40, false),
                    new Model("pt-mapped", "machine", "pt-mapped", 1, 120_000, 2, false),
                    new Model("fv-naive", "machine", "pt-mapped", 1.4, 4_000_000, 300, true),
                    new Model("fv-bar-remap", "machine", "pt-mapped", 1.25, 2_000_000, 60, true),
                    new Model("fv-lazy", "machine", "pt-mapped", 1.2, 1_500_000, 90, true),
                    new Model("fv-optimized", "machine", "pt-mapped", 1.04, 150_000, 4, true),
                    new Model("pv-machine", "machine", "pt-mapped", 1.1, 100_000, 1, false),
                    new Model("pv-machine-single", "machine", "pt-mapped", 1.15, 300_000, 1, false),
                    new Model("cuda-machine", "machine", "pt-mapped", 0.9, 80_000, 1, false));

    private static final List<String> WORKLOADS =
            List.of(
                    "loop",
                    "madd",
                    "mmul",
                    "fmadd",
                    "fmmul",
                    "cpy",
                    "pincpy",
                    "nop",
                    "spin",
                    "backprop",
                    "bfs",
                    "hotspot",
                    "lud",
                    "nn",
                    "nw",
                    "srad",
                    "srad2",
                    "heartwall");

    /// Workloads that the programs of the configurations for CUDA have.
    private static final List<String> IN_C = List.of("mmul", "cpy", "pincpy", "nop", "lud");

    private static final List<String> REGIONS = List.of("BAR0", "BAR1", "BAR3");
    private static final List<Integer> GUESTS = List.of(1, 2, 4, 8);

    private final Random random;
    private final int processRounds;
    private final int machineRounds;

    private Fixture(long seed, int processRounds, int machineRounds) {
        this.random = new Random(seed);
        this.processRounds = processRounds;
        this.machineRounds = machineRounds;
    }

    /// Model of a configuration.
    ///
    /// @param factor factor by which all times are multiplied
    /// @param launchNs additional time of a launch, in nanoseconds
    /// @param traps number of traps of a launch
    private record Model(
            String name,
            String group,
            String baseline,
            double factor,
            long launchNs,
            int traps,
            boolean shadows) {
        boolean has(String workload) {
            return !name.startsWith("cuda-") || IN_C.contains(workload);
        }
    }

    /// Returns a data set as large as that of a full evaluation, with gaps and invalid samples.
    static Evaluation full(long seed) {
        return new Fixture(seed, 11, 5).evaluation();
    }

    /// Returns a data set with few rounds.
    static Evaluation small(long seed) {
        return new Fixture(seed, 2, 2).evaluation();
    }

    private Evaluation evaluation() {
        List<EvaluatedConfiguration> configurations = new ArrayList<>();
        for (Model each : MODELS) {
            configurations.add(
                    new EvaluatedConfiguration(
                            each.name(),
                            "Title of " + each.name(),
                            each.group(),
                            each.baseline(),
                            "Programs use the GPU as " + each.name() + " does.",
                            WORKLOADS.stream().filter(name -> !each.has(name)).toList()));
        }
        List<EvaluatedWorkload> workloads = WORKLOADS.stream().map(Fixture::workload).toList();
        List<ResultGap> gaps = new ArrayList<>();
        gaps.add(
                new ResultGap(
                        "samples", "fv-naive", "nw", 1, false, "guest died: timeout: seconds=300"));
        gaps.add(
                new ResultGap("samples", "pt-trapped", null, 0, true, "<b>plan</b>: time is over"));
        return new Evaluation(
                Evaluation.VERSION,
                "9aafbd9a0a1b2c3d4e5f60718293a4b5c6d7e8f9",
                true,
                "2026-11-24T11:00:00Z",
                3120.5,
                new EvaluationHost(
                        2,
                        "AMD EPYC 7763",
                        8L << 30,
                        "6.1.0-41-amd64",
                        "tcg",
                        "guest on processor 0, backend on processor 1"),
                new EvaluationRounds(false, processRounds, machineRounds, 1),
                configurations,
                workloads,
                samples(workloads),
                starts(),
                gaps,
                transfers(),
                copies(),
                delays(),
                scaling(),
                shares(),
                memory());
    }

    private int rounds(Model model) {
        return model.group().equals("process") ? processRounds : machineRounds;
    }

    private double noise() {
        return Math.exp(random.nextGaussian() * 0.03);
    }

    private static EvaluatedWorkload workload(String name) {
        long launches =
                switch (name) {
                    case "nop" -> 2000;
                    case "nw" -> 127;
                    case "cpy", "pincpy" -> 0;
                    default -> 1 + name.length();
                };
        long bytes = name.equals("loop") || name.equals("nop") ? 0 : (long) name.length() << 21;
        return new EvaluatedWorkload(
                name,
                128 * name.length(),
                "rows and columns",
                new WorkAmount(bytes, bytes / 2, launches, launches * 1000, "op"));
    }

    private List<WorkloadSample> samples(List<EvaluatedWorkload> workloads) {
        List<WorkloadSample> samples = new ArrayList<>();
        for (Model model : MODELS) {
            for (int round = 0; round < rounds(model); round++) {
                for (EvaluatedWorkload each : workloads) {
                    boolean isGap = model.name().equals("fv-naive") && each.name().equals("nw");
                    if (!isGap && model.has(each.name())) {
                        samples.add(sample(model, each, round));
                    }
                }
            }
        }
        return samples;
    }

    private WorkloadSample sample(Model model, EvaluatedWorkload workload, int round) {
        WorkAmount work = workload.work();
        long base = workload.name().equals("loop") ? 1_900_000_000L : 40_000_000L;
        long busy = (long) (base * noise());
        long launch =
                (long) ((busy * model.factor() + work.launches() * model.launchNs()) * noise());
        long copyIn = (long) (work.bytesIn() * model.factor() * noise());
        long copyOut = (long) (work.bytesOut() * model.factor() * noise());
        boolean isValid = round != 1 || !workload.name().equals("bfs");
        Map<String, Long> counts = new TreeMap<>();
        Map<String, Map<String, Long>> phases = new TreeMap<>();
        if (model.group().equals("machine")) {
            count(model, work, counts, phases);
        }
        return new WorkloadSample(
                model.name(),
                workload.name(),
                round,
                0,
                isValid,
                isValid ? null : "GPU threads had 91 % of their processor",
                PhaseTimes.of(
                        (long) (3e6 * model.factor() * noise()),
                        copyIn,
                        launch,
                        copyOut,
                        (long) (1e6 * noise())),
                new GpuTimes(busy + copyIn / 2, busy + copyIn / 2, busy),
                counts,
                phases);
    }

    private void count(
            Model model,
            WorkAmount work,
            Map<String, Long> counts,
            Map<String, Map<String, Long>> phases) {
        Map<String, Long> launch = new TreeMap<>();
        Map<String, Long> copy = new TreeMap<>();
        int index = 0;
        for (String region : REGIONS) {
            for (String access : List.of("reads", "writes")) {
                String name = "traps." + region + "." + access;
                long each = (long) (work.launches() * model.traps() * noise()) >> 2 * index;
                long copies = work.bytesIn() * model.traps() >> 20 + index;
                launch.put(name, each);
                copy.put(name, copies);
                counts.put(name, each + copies);
                index++;
            }
        }
        phases.put("launch", launch);
        phases.put("copyIn", copy);
        counts.put("doorbells", work.launches() + 4);
        counts.put("ringEntries", 2 * work.launches() + 9);
        counts.put("shadowings", model.shadows() ? (long) model.traps() : 0);
        counts.put("shadowNs", model.shadows() ? model.traps() * 120_000L : 0);
        counts.put("flushes", 6L);
        counts.put("computeLaunches", work.launches());
    }

    private List<GuestStart> starts() {
        List<GuestStart> starts = new ArrayList<>();
        for (Model model : MODELS) {
            boolean isMachine = model.group().equals("machine");
            for (int round = 0; round < rounds(model); round++) {
                long driver = isMachine ? (long) (2.5e9 * model.factor() * noise()) : 0;
                starts.add(
                        new GuestStart(
                                model.name(),
                                round,
                                (long) ((isMachine ? 9e9 : 4e8) * noise()) + driver,
                                driver,
                                (long) (5e7 * model.factor() * noise()),
                                Map.of()));
            }
        }
        return starts;
    }

    private List<TransferSample> transfers() {
        List<TransferSample> transfers = new ArrayList<>();
        for (Model model : MODELS.stream().filter(each -> each.has("mix")).toList()) {
            for (long bytes : new long[] {64 << 10, 1 << 20}) {
                for (int share = 10; share <= 90; share += 20) {
                    for (int round = 0; round < rounds(model); round++) {
                        double total = 2e8 * (1 + (model.factor() - 1) * share / 40) * noise();
                        transfers.add(
                                new TransferSample(
                                        model.name(),
                                        share,
                                        bytes,
                                        round,
                                        (long) total,
                                        (long) (total * share / 100)));
                    }
                }
            }
        }
        return transfers;
    }

    private List<CopySample> copies() {
        List<CopySample> copies = new ArrayList<>();
        for (Model model : MODELS) {
            for (String direction : List.of(CopySample.IN, CopySample.OUT)) {
                for (long bytes = 4 << 10; bytes <= 64 << 20; bytes <<= 2) {
                    for (int round = 0; round < rounds(model); round++) {
                        double time =
                                (40_000 + model.launchNs() / 4.0 + bytes / 4.0 * model.factor())
                                        * noise();
                        copies.add(
                                new CopySample(model.name(), direction, bytes, round, (long) time));
                    }
                }
            }
        }
        return copies;
    }

    private List<QueueDelay> delays() {
        List<QueueDelay> delays = new ArrayList<>();
        for (Model model : MODELS) {
            for (int round = 0; round < rounds(model); round++) {
                delays.add(
                        new QueueDelay(
                                model.name(),
                                round,
                                (long) ((20_000 + model.launchNs()) * noise())));
            }
        }
        return delays;
    }

    private List<ScalingSample> scaling() {
        List<ScalingSample> scaling = new ArrayList<>();
        for (String name : List.of("pv-process", "fv-optimized", "pv-machine")) {
            for (int guests : GUESTS) {
                for (int round = 0; round < 3; round++) {
                    List<Long> times = new ArrayList<>();
                    for (int i = 0; i < guests; i++) {
                        times.add((long) (3e8 * (0.4 + 0.6 * guests) * noise()));
                    }
                    scaling.add(new ScalingSample(name, guests, round, "mmul", times));
                }
            }
        }
        return scaling;
    }

    private List<ShareSeries> shares() {
        List<ShareSeries> shares = new ArrayList<>();
        for (String policy : List.of("fifo", "credit", "band", "fair")) {
            double bias = policy.equals("fifo") ? 0.3 : policy.equals("fair") ? 0.01 : 0.06;
            List<List<Double>> values = List.of(new ArrayList<>(), new ArrayList<>());
            for (int i = 0; i < 40; i++) {
                double first = 0.5 + bias + random.nextGaussian() * bias / 5;
                values.get(0).add(Math.clamp(first, 0, 1));
                values.get(1).add(1 - Math.clamp(first, 0, 1));
            }
            shares.add(new ShareSeries(policy, "long", 20_000, 0.5, 500, values.get(0)));
            shares.add(new ShareSeries(policy, "short", 500, 0.5, 500, values.get(1)));
        }
        return shares;
    }

    private List<MemorySample> memory() {
        List<MemorySample> memory = new ArrayList<>();
        for (String mode : List.of("pv", "fv")) {
            for (int guests : GUESTS) {
                for (int round = 0; round < 3; round++) {
                    double bytes = (90 + guests * (mode.equals("pv") ? 6 : 24)) * noise();
                    memory.add(new MemorySample(mode, guests, round, (long) bytes << 20));
                }
            }
        }
        return memory;
    }
}
