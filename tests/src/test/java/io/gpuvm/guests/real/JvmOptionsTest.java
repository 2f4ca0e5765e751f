package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JvmOptionsTest {
    private final Path root = GuestFiles.locate().root();

    @Test
    void givenAllFiles_whenJvmIsStarted_thenJvmAcceptsEachOption()
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (Path file : files()) {
            command.add("@" + file);
        }
        command.add("-version");
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(java.getInputStream().readAllBytes());

        assertEquals(0, java.waitFor(), said);
        assertTrue(!said.contains("warning"), said);
    }

    @Test
    void givenAllFiles_whenRead_thenEachOptionOccursInOneFile() throws IOException {
        Set<String> seen = new HashSet<>();
        for (Path file : files()) {
            for (String line : Files.readAllLines(file)) {
                boolean isOption = line.startsWith("-");
                assertTrue(!isOption || seen.add(line), () -> file + ": " + line + " occurs twice");
            }
        }
        assertTrue(seen.contains("-XX:+UseSerialGC"), seen::toString);
    }

    @Test
    void givenTestJvm_whenStarted_thenJvmHasOptionsOfFiles() throws IOException {
        List<String> given = JvmOptions.inherited();
        for (String name : List.of("every", "access")) {
            for (String line : Files.readAllLines(root.resolve("etc/jvm/" + name + ".options"))) {
                assertTrue(!line.startsWith("-") || given.contains(line), line);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("etc/jvm"))) {
            return files.sorted().toList();
        }
    }
}
