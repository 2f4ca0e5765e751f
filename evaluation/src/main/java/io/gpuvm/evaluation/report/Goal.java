package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.CopySample;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.GuestStart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Goal for optimized full virtualization relative to mapped pass-through, with its measurement.
///
/// @param name subject of the goal
/// @param limit largest ratio that meets the goal
/// @param ratio measured ratio, or null if it was not measured
/// @param basis measurement from which the ratio comes, or the reason why there is none
record Goal(String name, double limit, Spread ratio, String basis) {
    private static final String SUBJECT = "fv-optimized";
    private static final String BASE = "pt-mapped";
    private static final double COMPUTE_LIMIT = 1.10;
    private static final double COPY_LIMIT = 1.25;
    private static final double START_LIMIT = 1.5;
    private static final double COMPUTE_NS = 2e9;

    /// Largest factor between the goal's two seconds and the baseline's time.
    private static final double TIME_FACTOR = 2;

    /// Minimum fraction of a compute-bound run in which the GPU is busy in the phase launch.
    private static final double LAUNCH_PART = 0.9;

    private static final long COPY_BYTES = 64 << 20;

    /// Returns the goals for computation, copies and start-up.
    static List<Goal> of(Runs runs) {
        return List.of(compute(runs), copy(runs), start(runs));
    }

    boolean isMeasured() {
        return ratio != null;
    }

    boolean isMet() {
        return isMeasured() && ratio.median() <= limit;
    }

    /// Returns `met`, `missed` or `not measured`.
    String state() {
        return isMet() ? "met" : isMeasured() ? "missed" : "not measured";
    }

    private static Goal compute(Runs runs) {
        String name = "compute-bound workload of 2 s";
        Optional<EvaluatedWorkload> nearest =
                runs.workloads().stream()
                        .filter(each -> isComputeBound(runs, each))
                        .min(Comparator.comparingDouble(each -> distance(base(runs, each))));
        if (nearest.isEmpty()) {
            return new Goal(
                    name,
                    COMPUTE_LIMIT,
                    null,
                    "no compute-bound workload has a valid run with " + BASE);
        }
        String workload = nearest.get().name();
        double time = base(runs, nearest.get());
        String basis =
                "%s of size %d, %s with %s"
                        .formatted(
                                workload, nearest.get().size(), Quantity.DURATION.text(time), BASE);
        if (distance(time) > Math.log(TIME_FACTOR)) {
            return new Goal(name, COMPUTE_LIMIT, null, basis + ", is the run nearest to 2 s");
        }
        Optional<Spread> ratio =
                runs.data().configurations().stream()
                        .filter(each -> each.name().equals(SUBJECT))
                        .findFirst()
                        .flatMap(each -> runs.relative(each, workload));
        return new Goal(name, COMPUTE_LIMIT, ratio.orElse(null), basis);
    }

    private static double base(Runs runs, EvaluatedWorkload workload) {
        return runs.spread(BASE, workload.name(), sample -> sample.phasesNs().total())
                .orElseThrow()
                .median();
    }

    private static double distance(double time) {
        return Math.abs(Math.log(time / COMPUTE_NS));
    }

    private static boolean isComputeBound(Runs runs, EvaluatedWorkload workload) {
        return runs.spread(
                        BASE,
                        workload.name(),
                        sample -> (double) sample.gpu().launchBusyNs() / sample.phasesNs().total())
                .filter(part -> part.median() >= LAUNCH_PART)
                .isPresent();
    }

    /// Returns the goal for copies, measured in the slower direction.
    private static Goal copy(Runs runs) {
        String name = "copy of 64 MiB";
        List<Goal> directions = new ArrayList<>();
        for (String direction : List.of(CopySample.IN, CopySample.OUT)) {
            Runs.ratio(copies(runs, SUBJECT, direction), copies(runs, BASE, direction))
                    .ifPresent(ratio ->
                            directions.add(
                                    new Goal(
                                            name,
                                            COPY_LIMIT,
                                            ratio,
                                            direction.equals(CopySample.IN)
                                                    ? "copy to the GPU"
                                                    : "copy from the GPU")));
        }
        return directions.stream()
                .max(Comparator.comparingDouble(each -> each.ratio().median()))
                .map(slower ->
                        directions.size() < 2
                                ? slower
                                : new Goal(
                                        name,
                                        COPY_LIMIT,
                                        slower.ratio(),
                                        slower.basis() + ", the slower direction"))
                .orElse(new Goal(name, COPY_LIMIT, null, missing("copy of 64 MiB")));
    }

    private static Map<Integer, Double> copies(Runs runs, String configuration, String direction) {
        return Runs.byRound(
                runs.data().copies().stream()
                        .filter(each ->
                                each.configuration().equals(configuration)
                                        && each.direction().equals(direction)
                                        && each.bytes() == COPY_BYTES)
                        .toList(),
                CopySample::round,
                CopySample::ns);
    }

    private static Goal start(Runs runs) {
        Optional<Spread> ratio = Runs.ratio(starts(runs, SUBJECT), starts(runs, BASE));
        return new Goal(
                "start-up",
                START_LIMIT,
                ratio.orElse(null),
                ratio.isPresent() ? "power-on until the program runs" : missing("start"));
    }

    private static Map<Integer, Double> starts(Runs runs, String configuration) {
        return Runs.byRound(
                runs.data().starts().stream()
                        .filter(each -> each.configuration().equals(configuration))
                        .toList(),
                GuestStart::round,
                GuestStart::powerOnToProgramNs);
    }

    private static String missing(String subject) {
        return "no round has a %s of both %s and %s".formatted(subject, SUBJECT, BASE);
    }
}
