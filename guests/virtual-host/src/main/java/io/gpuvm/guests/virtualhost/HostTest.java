package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Test that runs inside the virtual host: a shell script that uses the functions of
/// `tests/virtual-host/guest/tests.sh`.
///
/// @param name name of the script
/// @param description first line of the script
/// @param machine machine that the second line names after `# Machine:`
record HostTest(String name, String description, HostMachine machine, Path script) {
    private static final String MACHINE = "# Machine: ";

    /// Returns all tests, sorted by name.
    static List<HostTest> all(GuestFiles files) {
        try (Stream<Path> scripts = Files.list(files.virtualHostFolder().resolve("tests"))) {
            return scripts.sorted().map(HostTest::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HostTest of(Path script) {
        try {
            List<String> lines = Files.readAllLines(script);
            String description = lines.getFirst().replaceFirst("^# *", "");
            HostMachine machine =
                    lines.size() > 1 && lines.get(1).startsWith(MACHINE)
                            ? HostMachine.named(lines.get(1).substring(MACHINE.length()))
                            : HostMachine.USUAL;
            return new HostTest(script.getFileName().toString(), description, machine, script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
