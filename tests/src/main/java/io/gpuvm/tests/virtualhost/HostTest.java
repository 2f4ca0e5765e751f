package io.gpuvm.tests.virtualhost;

import io.gpuvm.tests.realguest.GuestFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A test that runs inside the virtual host: a shell script that is made of the functions of
/// `tests/virtual-host/guest/tests.sh`.
///
/// @param name the script's name
/// @param description its first line
record HostTest(String name, String description, Path script) {
    /// Every test there is, by name.
    static List<HostTest> all(GuestFiles files) {
        try (Stream<Path> scripts = Files.list(files.virtualHostFolder().resolve("tests"))) {
            return scripts.sorted().map(HostTest::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HostTest of(Path script) {
        try {
            String description = Files.readAllLines(script).getFirst().replaceFirst("^# *", "");
            return new HostTest(script.getFileName().toString(), description, script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
