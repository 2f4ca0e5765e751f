package io.gpuvm.guests.real;

import io.gpuvm.guests.real.GuestEvent.Check;
import io.gpuvm.guests.real.GuestEvent.Exited;
import io.gpuvm.guests.real.GuestEvent.ExpectedLog;
import io.gpuvm.guests.real.GuestEvent.Loaded;
import io.gpuvm.guests.real.GuestEvent.Log;
import io.gpuvm.guests.real.GuestEvent.Moved;
import io.gpuvm.guests.real.GuestEvent.Skipped;
import io.gpuvm.guests.real.GuestEvent.Unloaded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/// What a guest's events amount to.
///
/// @param kernel the release that the guest says it runs, or empty
/// @param failures every reason why it did not pass
/// @param warnings what the kernel logged at level warning or worse
/// @param secondsToProbe from loading the driver until it says that it is initialized, per loading
/// @param secondsOnCard the last part of that, from the driver's first word about the card on: what
///   comes before is the kernel's work with the module
/// @param checksPassed how many checks of the program were ok
/// @param moved bytes that the program says the GPU moved at least, by engine
/// @param measured the figures that the program measured, the last of each name
/// @param skipped what the program could not test
/// @param output the program's notes and checks, as text
public record GuestVerdict(
        String kernel,
        List<String> failures,
        List<KernelLog.Warning> warnings,
        List<Double> secondsToProbe,
        List<Double> secondsOnCard,
        int checksPassed,
        Map<String, Long> moved,
        Map<String, Double> measured,
        List<Skipped> skipped,
        List<String> output) {

    /// What a guest was asked to do.
    ///
    /// @param programRuns how many programs end
    /// @param allowLists by kernel series (`6.12`) and phase
    /// @param engines whether the GPU has copy engines, so that skipping them is a failure
    /// @param toTheEnd whether it was to do all of it, and not only to live for a while
    record Expectation(
            int programRuns,
            BiFunction<String, String, LogAllowList> allowLists,
            boolean engines,
            boolean toTheEnd) {

        /// What a run asks of each of its guests.
        static Expectation of(RunOptions options, GuestFiles files) {
            boolean engines =
                    options.server() instanceof ServerSpec.Backend backend
                            && backend.hasCopyEngines();
            return new Expectation(
                    options.programs().size() * (options.reloads() + 1),
                    (series, phase) -> LogAllowList.load(files.logAllowLists(), series, phase),
                    engines,
                    true);
        }

        /// The same of a guest that may be interrupted anywhere.
        Expectation upToAnyMoment() {
            return new Expectation(programRuns, allowLists, engines, false);
        }
    }

    private static final Pattern LOADING = Pattern.compile("^gpuvm: loading nouveau$");
    private static final Pattern FOUND = Pattern.compile("\\bnouveau [0-9a-f:.]+: NVIDIA ");
    private static final Pattern INITIALIZED = Pattern.compile("\\bInitialized nouveau\\b");
    private static final double US_PER_SECOND = 1e6;

    /// Judges what a guest said, in order, up to its end.
    ///
    /// @param machineFailures what went wrong with the machine itself, to begin with
    static GuestVerdict of(
            List<GuestEvent> events, List<String> machineFailures, Expectation expectation) {
        Judge judge = new Judge(expectation);
        judge.failures.addAll(machineFailures);
        events.forEach(judge::accept);
        return judge.verdict();
    }

    public boolean passed() {
        return failures.isEmpty();
    }

    /// Goes through the events once.
    private static final class Judge {
        private final Expectation expectation;
        private final List<String> failures = new ArrayList<>();
        private final List<Double> secondsToProbe = new ArrayList<>();
        private final List<Double> secondsOnCard = new ArrayList<>();
        private final Map<String, Long> moved = new TreeMap<>();
        private final Map<String, Double> measured = new TreeMap<>();
        private final List<Skipped> skipped = new ArrayList<>();
        private final List<String> output = new ArrayList<>();
        private final KernelLog kernelLog;
        private final List<String> expectedLog = new ArrayList<>();
        private String kernel = "";
        private int checksPassed;
        private int programRuns;
        private boolean finished;

        Judge(Expectation expectation) {
            this.expectation = expectation;
            this.kernelLog = new KernelLog(expectation.allowLists());
        }

        void accept(GuestEvent event) {
            switch (event) {
                case GuestEvent.Booted booted -> onBooted(booted);
                case Log log -> kernelLog.add(log);
                case Loaded loaded -> onLoaded(loaded);
                case Unloaded unloaded -> requireSuccess("rmmod nouveau", unloaded.status());
                case Exited exited -> onExited(exited);
                case Check check -> onCheck(check);
                case Moved bytes -> moved.merge(bytes.engine(), bytes.bytes(), Long::sum);
                case GuestEvent.Measured figure -> measured.put(figure.name(), figure.value());
                case ExpectedLog expected -> expectedLog.add(expected.pattern());
                case Skipped what -> onSkipped(what);
                case GuestEvent.Bound _, GuestEvent.Started _, GuestEvent.Progress _ -> {}
                case GuestEvent.Case _, GuestEvent.Cases _, GuestEvent.Asked _ -> {}
                case GuestEvent.Note note -> output.add(note.text());
                case GuestEvent.Other other -> output.add(other.line());
                case GuestEvent.Finished() -> finished = true;
            }
        }

        private void onBooted(GuestEvent.Booted booted) {
            kernel = booted.kernel();
            kernelLog.booted(kernel);
        }

        private void onLoaded(Loaded loaded) {
            requireSuccess("insmod nouveau", loaded.status());
            long begin = -1;
            long found = -1;
            for (Log log : kernelLog.phase()) {
                if (LOADING.matcher(log.text()).find()) {
                    begin = log.us();
                } else if (FOUND.matcher(log.text()).find()) {
                    found = log.us();
                } else if (begin >= 0 && INITIALIZED.matcher(log.text()).find()) {
                    secondsToProbe.add((log.us() - begin) / US_PER_SECOND);
                    secondsOnCard.add((log.us() - Math.max(begin, found)) / US_PER_SECOND);
                    kernelLog.endPhase();
                    return;
                }
            }
            failures.add("the driver did not say that it is initialized");
            kernelLog.endPhase();
        }

        private void onExited(Exited exited) {
            programRuns++;
            requireSuccess("program " + exited.program(), exited.status());
            for (String pattern : expectedLog) {
                Pattern expected = Pattern.compile(pattern);
                if (kernelLog.phase().stream()
                        .noneMatch(log -> expected.matcher(log.text()).find())) {
                    failures.add("the kernel did not log: " + pattern);
                }
            }
            expectedLog.clear();
            kernelLog.endPhase();
        }

        private void onCheck(Check check) {
            output.add((check.ok() ? "ok: " : "FAILED: ") + check.text());
            if (check.ok()) {
                checksPassed++;
            } else {
                failures.add("check: " + check.text());
            }
        }

        private void onSkipped(Skipped what) {
            skipped.add(what);
            if (expectation.engines()) {
                failures.add("skipped %s: %s".formatted(what.what(), what.reason()));
            }
        }

        private void requireSuccess(String what, int status) {
            if (status != 0) {
                failures.add("%s: exit status %d".formatted(what, status));
            }
        }

        GuestVerdict verdict() {
            kernelLog.endPhase();
            failures.addAll(kernelLog.failures());
            if (!expectation.toTheEnd()) {
                return result();
            }
            if (!finished) {
                failures.add("the guest ended before it had finished");
            } else if (programRuns != expectation.programRuns()) {
                failures.add(
                        "programs ran %d times, expected %d"
                                .formatted(programRuns, expectation.programRuns()));
            }
            return result();
        }

        private GuestVerdict result() {
            return new GuestVerdict(
                    kernel,
                    List.copyOf(failures),
                    kernelLog.warnings(),
                    List.copyOf(secondsToProbe),
                    List.copyOf(secondsOnCard),
                    checksPassed,
                    Map.copyOf(moved),
                    Map.copyOf(measured),
                    List.copyOf(skipped),
                    List.copyOf(output));
        }
    }
}
