package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestEvent.Case;
import io.gpuvm.guests.real.GuestEvent.Cases;
import io.gpuvm.guests.real.GuestEvent.Check;
import io.gpuvm.guests.real.GuestEvent.Exited;
import io.gpuvm.guests.real.GuestEvent.Skipped;
import io.gpuvm.guests.real.GuestEvent.Started;
import io.gpuvm.guests.real.KernelLog;
import io.gpuvm.guests.real.LogAllowList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/// Verdict on the events of a virtual host.
///
/// @param kernel kernel release reported by the host, or empty
/// @param failures all reasons for failure, except those of single tests
/// @param secondsToBoot seconds from power-on to the start of init
/// @param secondsToBind seconds from power-on until vfio-pci is bound to the card
/// @param tests results of all tests that began
/// @param warnings kernel log lines at level warning or worse
/// @param measured measured figures, the last value per name
/// @param output other output of the programs
record HostVerdict(
        String kernel,
        List<String> failures,
        double secondsToBoot,
        double secondsToBind,
        List<TestOutcome> tests,
        List<KernelLog.Warning> warnings,
        Map<String, Double> measured,
        List<String> output) {

    /// Checks the events of a host, in order, up to its end.
    ///
    /// @param machineFailures failures of the machine itself, listed before all other failures
    /// @param expected requested tests
    /// @param allowLists allow-lists by kernel series (`6.12`) and phase
    static HostVerdict of(
            List<TimedEvent> events,
            List<String> machineFailures,
            List<String> expected,
            BiFunction<String, String, LogAllowList> allowLists) {
        Judge judge = new Judge(new KernelLog(allowLists));
        judge.failures.addAll(machineFailures);
        events.forEach(judge::accept);
        return judge.verdict(expected);
    }

    boolean passed() {
        return failures.isEmpty() && tests.stream().allMatch(TestOutcome::passed);
    }

    /// Returns the number of cases with the given result, in all tests.
    int count(String result) {
        return tests.stream().mapToInt(test -> test.count(result)).sum();
    }

    /// Checker of a host's events, called once per event, in order.
    private static final class Judge {
        private final KernelLog kernelLog;
        private final List<String> failures = new ArrayList<>();
        private final List<TestOutcome> tests = new ArrayList<>();
        private final Map<String, Double> measured = new TreeMap<>();
        private final List<String> output = new ArrayList<>();
        private String kernel = "";
        private double secondsToBoot;
        private double secondsToBind;
        private boolean finished;
        private RunningTest test;

        Judge(KernelLog kernelLog) {
            this.kernelLog = kernelLog;
        }

        void accept(TimedEvent timed) {
            switch (timed.event()) {
                case GuestEvent.Booted booted -> {
                    kernel = booted.kernel();
                    kernelLog.booted(kernel);
                    secondsToBoot = timed.seconds();
                }
                case GuestEvent.Log log -> kernelLog.add(log);
                case GuestEvent.Bound _ -> secondsToBind = timed.seconds();
                case Started started -> begin(started, timed.seconds());
                case Exited exited -> end(exited, timed.seconds());
                case Case result when test != null -> test.accept(result, timed.seconds());
                case Cases sum when test != null -> test.accept(sum);
                case Check check -> onCheck(check);
                case GuestEvent.Asked(String what) -> output.add("requested: " + what);
                case GuestEvent.Measured figure -> measured.put(figure.name(), figure.value());
                case Skipped what ->
                        output.add("skipped %s: %s".formatted(what.what(), what.reason()));
                case GuestEvent.Note note -> output.add(note.text());
                case GuestEvent.Other other -> output.add(other.line());
                case GuestEvent.Finished() -> finished = true;
                default -> failures.add("unexpected event: " + timed.event());
            }
        }

        private void begin(Started started, double seconds) {
            abandon();
            test = new RunningTest(started.program(), seconds);
        }

        private void end(Exited exited, double seconds) {
            kernelLog.endPhase();
            if (test == null || !test.name.equals(exited.program())) {
                failures.add("%s ended without a start".formatted(exited.program()));
                return;
            }
            if (exited.status() != 0) {
                test.failures.add("exit status %d".formatted(exited.status()));
            }
            tests.add(test.outcome(seconds));
            test = null;
        }

        private void abandon() {
            if (test != null) {
                test.failures.add("the test did not end");
                tests.add(test.outcome(test.beginSeconds));
                test = null;
            }
        }

        private void onCheck(Check check) {
            if (test != null) {
                test.accept(check);
            } else if (!check.ok()) {
                failures.add("check: " + check.text());
            }
        }

        HostVerdict verdict(List<String> expected) {
            abandon();
            kernelLog.endPhase();
            failures.addAll(kernelLog.failures());
            if (!finished) {
                failures.add("the virtual host ended before it had finished");
            }
            List<String> run = tests.stream().map(TestOutcome::name).toList();
            if (!run.equals(expected)) {
                failures.add("tests=%s, expected %s".formatted(run, expected));
            }
            return new HostVerdict(
                    kernel,
                    List.copyOf(failures),
                    secondsToBoot,
                    secondsToBind,
                    List.copyOf(tests),
                    kernelLog.warnings(),
                    Map.copyOf(measured),
                    List.copyOf(output));
        }
    }
}
