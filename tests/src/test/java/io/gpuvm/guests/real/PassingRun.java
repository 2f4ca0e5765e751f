package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/// Run of real guests that must pass.
final class PassingRun {
    private PassingRun() {}

    /// Runs guests and requires that they pass and access only declared registers.
    static RunReport of(RunOptions options) throws InterruptedException {
        GuestFiles files = PreparedGuests.orSkip(options);
        RunReport report = RealGuestRun.run(options, files, new ProgressPrinter(System.err, false));
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
        assertEquals("[]", report.server().at("/gpu/undeclared").toString());
        return report;
    }
}
