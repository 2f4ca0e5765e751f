package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent.Case;
import io.gpuvm.guests.real.GuestEvent.Cases;
import io.gpuvm.guests.real.GuestEvent.Check;
import java.util.ArrayList;
import java.util.List;

/// Test that has not ended yet.
final class RunningTest {
    private static final double MS_PER_SECOND = 1000;

    final String name;
    final double beginSeconds;
    final List<String> failures = new ArrayList<>();

    private final List<Case> cases = new ArrayList<>();
    private double firstCaseSeconds;
    private int casesBeforeThisProgram;
    private int checksPassed;

    /// @param beginSeconds start of the test, in seconds since power-on
    RunningTest(String name, double beginSeconds) {
        this.name = name;
        this.beginSeconds = beginSeconds;
        this.firstCaseSeconds = beginSeconds;
    }

    void accept(Case result, double seconds) {
        if (cases.isEmpty()) {
            firstCaseSeconds = Math.max(beginSeconds, seconds - result.ms() / MS_PER_SECOND);
        }
        cases.add(result);
        switch (result.result()) {
            case TestOutcome.PASS, TestOutcome.SKIP -> {}
            default -> failures.add("%s: %s".formatted(result.name(), result.reason()));
        }
    }

    /// Compares the number of cases that a program reports with the number of its events. A test
    /// may run several programs.
    void accept(Cases sum) {
        int seen = cases.size() - casesBeforeThisProgram;
        int said = sum.passed() + sum.failed() + sum.skipped();
        if (seen != said) {
            failures.add(
                    "test cases: received=%d, reported by the program=%d".formatted(seen, said));
        }
        casesBeforeThisProgram = cases.size();
    }

    void accept(Check check) {
        if (check.ok()) {
            checksPassed++;
        } else {
            failures.add("check: " + check.text());
        }
    }

    TestOutcome outcome(double endSeconds) {
        return new TestOutcome(
                name,
                endSeconds - beginSeconds,
                firstCaseSeconds - beginSeconds,
                cases,
                checksPassed,
                failures);
    }
}
