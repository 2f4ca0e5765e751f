package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent.Case;
import java.util.List;

/// What became of one test.
///
/// @param seconds from its begin to its end
/// @param secondsToFirstCase until its first test case began, which is what starting a JVM takes; 0
///   when it has none
/// @param cases the test cases that it ran, with repetitions
/// @param checksPassed checks of the test's own that were right
/// @param failures every reason why it did not pass
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

    /// How many cases had this result.
    int count(String result) {
        return (int) cases.stream().filter(test -> test.result().equals(result)).count();
    }
}
