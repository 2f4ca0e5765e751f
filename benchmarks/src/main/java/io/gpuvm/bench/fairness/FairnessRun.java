package io.gpuvm.bench.fairness;

import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.sched.measure.CommandLog;
import io.gpuvm.sched.measure.Fairness;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Results of a run of `gpuvm fairness`.
///
/// @param fairness fairness in the measured time
/// @param agreement agreement over the whole run
/// @param gaps gaps in the measured time
record FairnessRun(FairnessPlan plan, Fairness fairness, Agreement agreement, IdleGaps gaps) {
    /// Time between the transmission of the start time to the guests and the start time itself.
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /// Time for which guests continue after the measured time, so that no guest is alone before the
    /// measured time ends.
    private static final int TAIL_SECONDS = 1;

    private static final int FIRST_CAPACITY = 1 << 16;

    /// Runs a backend and its guests as processes. All processes have ended when this method
    /// returns or throws; a JVM that is terminated during the call ends them too.
    ///
    /// @param progress consumer of progress lines
    static FairnessRun run(FairnessPlan plan, Consumer<String> progress)
            throws InterruptedException {
        RunFolder folder = new RunFolder(false);
        Children children = new Children();
        try (AtEnd _ =
                new AtEnd(() -> {
                    children.close();
                    folder.close();
                })) {
            return run(plan, folder, children, progress);
        }
    }

    private static FairnessRun run(
            FairnessPlan plan, RunFolder folder, Children children, Consumer<String> progress)
            throws InterruptedException {
        SharingBackend backend = SharingBackend.start(plan, folder, children);
        int seconds = plan.warmUpSeconds() + plan.seconds() + TAIL_SECONDS;
        List<SpinGuest> guests = new ArrayList<>();
        for (GuestPlan guest : plan.guests()) {
            guests.add(
                    SpinGuest.start(
                            guests.size(), guest, seconds, plan.guestsOn(), folder, children));
        }
        for (SpinGuest guest : guests) {
            guest.awaitReady();
        }
        GpuUse before = GpuUse.of(backend.nextSummary());
        progress.accept("guests=%d, %d s".formatted(guests.size(), seconds));
        long goNs = System.nanoTime() + LEAD_NS;
        for (SpinGuest guest : guests) {
            guest.go(goNs);
        }
        List<GuestTrace> traces = new ArrayList<>();
        for (SpinGuest guest : guests) {
            traces.add(guest.end());
        }
        GpuUse used = GpuUse.of(backend.nextSummary()).since(before);
        long fromNs = goNs + TimeUnit.SECONDS.toNanos(plan.warmUpSeconds());
        return of(plan, traces, used, fromNs);
    }

    private static FairnessRun of(
            FairnessPlan plan, List<GuestTrace> traces, GpuUse used, long fromNs) {
        long toNs = fromNs + TimeUnit.SECONDS.toNanos(plan.seconds());
        CommandLog log = new CommandLog(FIRST_CAPACITY);
        List<GuestTrace.Command> all = new ArrayList<>();
        for (GuestTrace trace : traces) {
            all.addAll(trace.commands());
            for (GuestTrace.Command command : trace.commands()) {
                log.add(
                        command.vm(),
                        0,
                        command.submittedNs(),
                        command.startedNs(),
                        command.endedNs(),
                        command.endedNs() - command.startedNs());
            }
        }
        double[] guestSeconds = traces.stream().mapToDouble(GuestTrace::gpuSeconds).toArray();
        return new FairnessRun(
                plan,
                Fairness.of(
                        log,
                        0,
                        plan.guests().stream().map(GuestPlan::share).toList(),
                        fromNs,
                        toNs),
                Agreement.of(used, guestSeconds),
                IdleGaps.of(all, fromNs, toNs));
    }
}
