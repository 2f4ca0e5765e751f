package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogAllowListTest {
    private static final Path SHIPPED = GuestFiles.locate().logAllowLists();

    @TempDir private Path folder;

    @Test
    void givenEntryWithReason_whenLineContainsMatch_thenLineIsAllowed() {
        LogAllowList list = LogAllowList.parse("x", List.of("# why", "ce channel, -22$"));
        assertTrue(list.allows("drm: failed to create ce channel, -22"));
        assertFalse(list.allows("drm: failed to create ce channel, -220"));
    }

    @Test
    void givenEntryWithoutReason_whenRead_thenErrorNamesFileAndLine() {
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> LogAllowList.parse("x", List.of("# why", "one", "", "two")));
        assertTrue(e.getMessage().startsWith("x:4:"), e.getMessage());
    }

    @Test
    void givenInvalidExpression_whenRead_thenErrorNamesFileAndLine() {
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> LogAllowList.parse("x", List.of("# why", "(")));
        assertTrue(e.getMessage().startsWith("x:2:"), e.getMessage());
    }

    @Test
    void givenNoFile_whenLoaded_thenNoLineIsAllowed() {
        assertEquals(List.of(), LogAllowList.load(folder, "6.12", "copy").patterns());
    }

    @Test
    void givenListForAllKernels_whenLoadedForPhase_thenBothListsApply() throws IOException {
        Files.writeString(folder.resolve("any"), "# busy\nslow\n");
        Files.createDirectory(folder.resolve("6.12"));
        Files.writeString(folder.resolve("6.12/probe"), "# known\nodd\n");
        LogAllowList list = LogAllowList.load(folder, "6.12", "probe");
        assertTrue(list.allows("slow"));
        assertTrue(list.allows("odd"));
        assertFalse(LogAllowList.load(folder, "6.1", "probe").allows("odd"));
    }

    @Test
    void givenShippedLists_whenRead_thenEachListIsWellFormed() throws IOException {
        try (Stream<Path> files = Files.walk(SHIPPED)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.toString().endsWith(".md")) {
                    LogAllowList list =
                            LogAllowList.parse(file.toString(), Files.readAllLines(file));
                    assertFalse(list.patterns().isEmpty(), file + " allows nothing");
                }
            }
        }
    }
}
