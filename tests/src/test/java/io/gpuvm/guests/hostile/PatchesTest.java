package io.gpuvm.guests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.GuestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Quick check of the patches of `tests/hostile-guest/prove`. That script takes hours, and would
/// report an outdated patch only when it applies that patch.
class PatchesTest {
    private static final Path ROOT = GuestFiles.locate().root();
    private static final Path PATCHES = ROOT.resolve("tests/hostile-guest/without");

    @Test
    void givenPatchesThatRemoveChecks_whenApplied_thenPatchesApplyCleanly() throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "apply", "--check"));
        for (Path patch : patches()) {
            List<String> one = new ArrayList<>(command);
            one.add(patch.toString());
            Process git =
                    new ProcessBuilder(one)
                            .directory(ROOT.toFile())
                            .redirectErrorStream(true)
                            .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, git.waitFor(), said);
        }
    }

    @Test
    void givenPatchThatNamesTest_whenLookedUp_thenModuleHasTest() throws Exception {
        for (Path patch : patches()) {
            for (String line : Files.readAllLines(patch)) {
                if (line.startsWith("test: ")) {
                    String[] words = line.split(" ");
                    Path module = ROOT.resolve(words[1]);
                    assertTrue(Files.exists(module.resolve("pom.xml")), patch + ": " + line);
                    try (Stream<Path> files = Files.walk(module.resolve("src/test"))) {
                        assertTrue(
                                files.anyMatch(file -> file.endsWith(words[2] + ".java")),
                                patch + ": " + line);
                    }
                }
            }
        }
    }

    private static List<Path> patches() throws IOException {
        List<Path> patches = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(PATCHES, "*.patch")) {
            files.forEach(patches::add);
        }
        assertFalse(patches.isEmpty());
        return patches;
    }
}
