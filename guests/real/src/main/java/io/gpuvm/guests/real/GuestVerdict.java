package io.gpuvm.guests.real;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.gpuvm.guests.real.GuestEvent.Case;
import io.gpuvm.guests.real.GuestEvent.Cases;
import io.gpuvm.guests.real.GuestEvent.Check;
import io.gpuvm.guests.real.GuestEvent.Exited;
import io.gpuvm.guests.real.GuestEvent.ExpectedLog;
import io.gpuvm.guests.real.GuestEvent.Loaded;
import io.gpuvm.guests.real.GuestEvent.Log;
import io.gpuvm.guests.real.GuestEvent.Moved;
import io.gpuvm.guests.real.GuestEvent.Skipped;
import io.gpuvm.guests.real.GuestEvent.Unloaded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/// Verdict on the events of a guest.
///
/// @param kernel kernel release reported by the guest, or empty
/// @param failures all reasons for failure
/// @param warnings kernel log lines at level warning or worse
/// @param secondsToProbe times from the start of each load of the driver until the driver's message
///   that it is initialized, in seconds
/// @param secondsOnCard parts of those times after the driver's first message about the card; Linux
///   loads the module before this message
/// @param checksPassed number of successful checks by the program
/// @param moved minimum number of bytes that the GPU copied according to the program, by engine
/// @param measured figures measured by the program, the last value per name
/// @param measurement JSON file with the measurement of the program's last run; a missing node if
///   the program wrote none
/// @param cases results of the tests of a program that runs several
/// @param skipped tests that the program skipped
/// @param output notes and checks of the program, as text
public record GuestVerdict(
        String kernel,
        List<String> failures,
        List<KernelLog.Warning> warnings,
        List<Double> secondsToProbe,
        List<Double> secondsOnCard,
        int checksPassed,
        Map<String, Long> moved,
        Map<String, Double> measured,
        JsonNode measurement,
        List<Case> cases,
        List<Skipped> skipped,
        List<String> output) {

    /// Expected behaviour of a guest.
    ///
    /// @param programRuns number of runs of programs
    /// @param allowLists allow-lists by kernel series (`6.12`) and phase
    /// @param engines whether the GPU has copy engines, so that skipping tests of them is a failure
    /// @param toTheEnd whether the guest must complete; otherwise it may be interrupted
    record Expectation(
            int programRuns,
            BiFunction<String, String, LogAllowList> allowLists,
            boolean engines,
            boolean toTheEnd) {

        /// Returns the expectation for each guest of a run.
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

        /// Returns this expectation for a guest that may be interrupted at any time.
        Expectation upToAnyMoment() {
            return new Expectation(programRuns, allowLists, engines, false);
        }
    }

    private static final Pattern LOADING = Pattern.compile("^gpuvm: loading nouveau$");
    private static final Pattern FOUND = Pattern.compile("\\bnouveau [0-9a-f:.]+: NVIDIA ");
    private static final Pattern INITIALIZED = Pattern.compile("\\bInitialized nouveau\\b");
    private static final double US_PER_SECOND = 1e6;

    /// Checks the events of a guest, in order, up to its end.
    ///
    /// @param machineFailures failures of the machine itself, listed before all other failures
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

    /// Checker of a guest's events, called once per event, in order.
    private static final class Judge {
        private final Expectation expectation;
        private final List<String> failures = new ArrayList<>();
        private final List<Double> secondsToProbe = new ArrayList<>();
        private final List<Double> secondsOnCard = new ArrayList<>();
        private final Map<String, Long> moved = new TreeMap<>();
        private final Map<String, Double> measured = new TreeMap<>();
        private final List<Case> cases = new ArrayList<>();
        private final List<Skipped> skipped = new ArrayList<>();
        private final List<String> output = new ArrayList<>();
        private final KernelLog kernelLog;
        private final List<String> expectedLog = new ArrayList<>();
        private final MeasurementPieces pieces = new MeasurementPieces();
        private JsonNode measurement = MissingNode.getInstance();
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
                case GuestEvent.MeasurementPiece piece -> onPiece(piece);
                case ExpectedLog expected -> expectedLog.add(expected.pattern());
                case Skipped what -> onSkipped(what);
                case GuestEvent.Bound _, GuestEvent.Started _, GuestEvent.Progress _ -> {}
                case Case result -> onCase(result);
                case Cases sum -> onCases(sum);
                case GuestEvent.Asked _ -> {}
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
            failures.add("the driver did not log its initialization");
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
            completeMeasurement();
            kernelLog.endPhase();
        }

        private void onPiece(GuestEvent.MeasurementPiece piece) {
            try {
                pieces.add(piece.base64());
            } catch (IllegalArgumentException e) {
                failures.add("measurement: " + e.getMessage());
            }
        }

        private void completeMeasurement() {
            try {
                measurement = pieces.complete();
            } catch (IOException e) {
                failures.add("measurement: " + e.getMessage());
            }
        }

        private void onCheck(Check check) {
            output.add((check.ok() ? "ok: " : "FAILED: ") + check.text());
            if (check.ok()) {
                checksPassed++;
            } else {
                failures.add("check: " + check.text());
            }
        }

        private void onCase(Case result) {
            cases.add(result);
            if (result.failed()) {
                failures.add("test %s: %s".formatted(result.name(), result.reason()));
            }
        }

        private void onCases(Cases sum) {
            if (sum.passed() == 0) {
                failures.add(
                        "no test passed: failed=%d, skipped=%d"
                                .formatted(sum.failed(), sum.skipped()));
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
                        "program runs=%d, expected=%d"
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
                    measurement,
                    List.copyOf(cases),
                    List.copyOf(skipped),
                    List.copyOf(output));
        }
    }
}
