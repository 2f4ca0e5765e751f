package io.gpuvm.guests.real;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// QEMU, kernels and programs for tests, set up once.
public final class PreparedGuests {
    private PreparedGuests() {}

    /// Sets up missing files. If the setup fails, skips the test with a conspicuous reason.
    ///
    /// @param kernels values of `setup --kernel`
    public static GuestFiles orSkip(String... kernels) {
        GuestFiles files = GuestFiles.locate();
        orSkip("REAL GUESTS ARE", () -> files.prepare(arguments(Stream.of(kernels))));
        return files;
    }

    /// Sets up the files of a run's guests and of their programs, or skips the test.
    public static GuestFiles orSkip(RunOptions options) {
        GuestFiles files = GuestFiles.locate();
        List<String> arguments = arguments(options.vms().stream().map(VmSpec::kernel));
        orSkip("REAL GUESTS ARE", () -> files.prepareFor(options.programs(), arguments));
        return files;
    }

    private static List<String> arguments(Stream<String> kernels) {
        return kernels.flatMap(kernel -> Stream.of("--kernel", kernel)).toList();
    }

    /// Sets up the files of the virtual host, or skips the test.
    ///
    /// @return name of the virtual host's kernel
    public static String virtualHostOrSkip(GuestFiles files) {
        return orSkip("THE VIRTUAL HOST IS", files::prepareVirtualHost);
    }

    private static <T> T orSkip(String what, Supplier<T> setup) {
        try {
            return setup.get();
        } catch (GuestSetupException e) {
            String reason = what + " NOT TESTED, setup failed: " + e.getMessage();
            System.err.println("*".repeat(100));
            System.err.println(reason);
            System.err.println("*".repeat(100));
            return Assumptions.abort(reason);
        }
    }
}
