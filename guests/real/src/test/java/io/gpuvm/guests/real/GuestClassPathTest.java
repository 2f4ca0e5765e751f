package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuestClassPathTest {
    @Test
    void givenLauncherClassPath_whenReduced_thenModulesAndNeededLibrariesRemain() {
        assertEquals(
                "/p/cli/target/classes:/p/lib/gpuvm-linux-0.1.jar:/p/lib/jnr-ffi-2.3.3.jar",
                GuestClassPath.of(
                        "/p/cli/target/classes:/p/lib/gpuvm-linux-0.1.jar"
                                + ":/p/lib/chronicle-wire-2026.6.jar:/p/lib/jna-5.19.1.jar"
                                + ":/p/lib/jnr-ffi-2.3.3.jar:/p/lib/logback-core-1.5.18.jar"));
    }

    @Test
    void givenTestClassPath_whenReduced_thenClassesOfTestsAreAbsent() {
        assertEquals(
                "/p/linux/target/classes",
                GuestClassPath.of("/p/tests/target/test-classes:/p/linux/target/classes"));
    }

    @Test
    void givenBuiltSuite_whenClassPathIsCreated_thenTestsAndLibrariesAreAdded(@TempDir Path root)
            throws IOException {
        Path libraries = root.resolve("tests/runtime-suite/target/lib");
        Files.createDirectories(libraries);
        for (String jar :
                List.of("junit-jupiter-api-6.1.jar", "gpuvm-tests-support-0.1.jar", "asm-9.jar")) {
            Files.createFile(libraries.resolve(jar));
        }
        assertEquals(
                "%s/classes:%s/lib/gpuvm-tests-support-0.1.jar:%s/lib/junit-jupiter-api-6.1.jar"
                        .replace("%s", libraries.getParent().toString()),
                GuestClassPath.ofSuite(root));
    }

    @Test
    void givenNoBuild_whenClassPathOfSuiteIsCreated_thenErrorNamesFolder(@TempDir Path root) {
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> GuestClassPath.ofSuite(root));
        assertTrue(e.getMessage().contains("tests/runtime-suite/target/lib"), e::getMessage);
    }
}
