package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent.Case;
import java.util.List;

/// Result of one test.
///
/// @param seconds duration of the test, in seconds
/// @param secondsToFirstCase seconds from the test's start to its first test case, which is the
///   time to start a JVM; 0 if the test has no cases
/// @param cases test cases in order of execution, with repetitions
/// @param checksPassed number of successful checks of the test itself
/// @param failures all reasons for failure
record TestOutcome(
        String name,
        double seconds,
        double secondsToFirstCase,
        List<Case> cases,
        int checksPassed,
        List<String> failures) {
    static final String PASS = "pass";
    static final String FAIL = "fail";
    static final String SKIP = "skip";

    TestOutcome {
        cases = List.copyOf(cases);
        failures = List.copyOf(failures);
    }

    boolean passed() {
        return failures.isEmpty();
    }

    /// Returns the number of cases with the given result.
    int count(String result) {
        return (int) cases.stream().filter(test -> test.result().equals(result)).count();
    }
}
