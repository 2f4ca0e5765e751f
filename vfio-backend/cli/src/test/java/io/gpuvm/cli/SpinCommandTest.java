package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of `gpuvm spin`, as called by users.
class SpinCommandTest {
    private static final String GPU = "--gpu=soft,vram=64M";

    private final Shell shell = new Shell();
    @TempDir private Path folder;

    @Test
    void givenOneSecondOfCommands_whenRun_thenFiguresAndTraceHaveAllCommands() throws IOException {
        Path figures = folder.resolve("figures");
        Path trace = folder.resolve("trace");

        int status =
                shell.run(
                        "spin",
                        "--length=2000",
                        "--seconds=1",
                        "--warm-up=5",
                        "--outstanding=2",
                        "--json",
                        figures,
                        "--trace",
                        trace,
                        GPU);

        assertEquals(0, status, shell::err);
        JsonNode json = new ObjectMapper().readTree(figures.toFile());
        int commands = json.path("commands").asInt();
        assertTrue(commands >= 2, shell::out);
        assertTrue(json.path("gpuSeconds").asDouble() >= commands * 0.002);
        List<String> lines = Files.readAllLines(trace);
        assertEquals("submittedNs,startedNs,gpuNs,seenNs", lines.getFirst());
        assertEquals(1 + commands, lines.size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--length=0",
                "--length=9999999999",
                "--length=5 --pause=1",
                "--length=5 --outstanding=17",
                "--length=5 --warm-up=-1"
            })
    void givenArgumentsOutOfRange_whenRun_thenErrorNamesLimit(String arguments) {
        String[] words = ("spin --seconds=1 " + GPU + " " + arguments).split(" ");

        assertEquals(2, shell.run((Object[]) words));
        assertTrue(shell.err().matches("(?s).*(limit=|expected ).*"), shell::err);
    }
}
