package io.gpuvm.guests.real;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// QEMU, kernels and programs, set up once for the tests that need them.
public final class PreparedGuests {
    private PreparedGuests() {}

    /// Sets up what is missing, or skips the tests for a reason that cannot be overlooked.
    ///
    /// @param kernels what `setup --kernel` takes
    public static GuestFiles orSkip(String... kernels) {
        GuestFiles files = GuestFiles.locate();
        orSkip("REAL GUESTS ARE", () -> files.prepare(arguments(Stream.of(kernels))));
        return files;
    }

    /// The same for the guests of a run, with what their program needs.
    public static GuestFiles orSkip(RunOptions options) {
        GuestFiles files = GuestFiles.locate();
        List<String> arguments = arguments(options.vms().stream().map(VmSpec::kernel));
        orSkip("REAL GUESTS ARE", () -> files.prepareFor(options.programs(), arguments));
        return files;
    }

    private static List<String> arguments(Stream<String> kernels) {
        return kernels.flatMap(kernel -> Stream.of("--kernel", kernel)).toList();
    }

    /// The same for the virtual host.
    ///
    /// @return the name of its kernel
    public static String virtualHostOrSkip(GuestFiles files) {
        return orSkip("THE VIRTUAL HOST IS", files::prepareVirtualHost);
    }

    private static <T> T orSkip(String what, Supplier<T> setup) {
        try {
            return setup.get();
        } catch (GuestSetupException e) {
            String reason = what + " NOT TESTED, it cannot be set up: " + e.getMessage();
            System.err.println("*".repeat(100));
            System.err.println(reason);
            System.err.println("*".repeat(100));
            return Assumptions.abort(reason);
        }
    }
}
