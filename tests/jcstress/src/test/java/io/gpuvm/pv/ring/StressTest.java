package io.gpuvm.pv.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Test of all stress tests: brief in one compilation mode, in which a missing fence appears within
/// seconds, or long.
class StressTest {
    private static final Pattern RESULTS = Pattern.compile("(\\d+) planned; (\\d+) passed");

    /// JVM options of the recorder's ring.
    private static final Path ACCESS =
            Path.of(System.getProperty("gpuvm.root"), "etc/jvm/access.options");

    @TempDir private Path folder;

    @Test
    @Tag("commands")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void givenTwoThreads_whenRunBriefly_thenOnlyLegalOutcomesOccur()
            throws IOException, InterruptedException {
        assertOnlyLegalOutcomes(
                "-jvmArgs",
                "-XX:-TieredCompilation",
                "-sc",
                "false",
                "-f",
                "1",
                "-iters",
                "1",
                "-time",
                "500");
    }

    @Test
    @Tag("long")
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void givenTwoThreads_whenRunForLong_thenOnlyLegalOutcomesOccur()
            throws IOException, InterruptedException {
        assertOnlyLegalOutcomes("-m", "quick");
    }

    private void assertOnlyLegalOutcomes(String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("org.openjdk.jcstress.Main");
        command.addAll(List.of("-r", folder.toString()));
        command.addAll(List.of("-jvmArgsPrepend", "@" + ACCESS));
        command.addAll(List.of(options));
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            int status = process.waitFor();
            assertEquals(0, status, () -> text(output));
        } finally {
            process.destroy();
        }
        MatchResult last = RESULTS.matcher(text(output)).results().toList().getLast();
        assertTrue(Integer.parseInt(last.group(1)) > 0, last.group());
        assertEquals(last.group(1), last.group(2));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
