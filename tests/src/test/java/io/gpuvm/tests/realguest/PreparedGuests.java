package io.gpuvm.tests.realguest;

import java.util.List;
import org.junit.jupiter.api.Assumptions;

/// QEMU, kernels and programs, set up once for the tests that need them.
final class PreparedGuests {
    private PreparedGuests() {}

    /// Sets up what is missing, or skips the tests for a reason that cannot be overlooked.
    ///
    /// @param kernel what `setup --kernel` takes
    static GuestFiles orSkip(String kernel) {
        GuestFiles files = GuestFiles.locate();
        try {
            files.prepare(List.of("--kernel", kernel));
        } catch (GuestSetupException e) {
            String reason = "REAL GUESTS ARE NOT TESTED, they cannot be set up: " + e.getMessage();
            System.err.println("*".repeat(100));
            System.err.println(reason);
            System.err.println("*".repeat(100));
            Assumptions.abort(reason);
        }
        return files;
    }
}
