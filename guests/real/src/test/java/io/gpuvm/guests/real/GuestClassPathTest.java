package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

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
}
