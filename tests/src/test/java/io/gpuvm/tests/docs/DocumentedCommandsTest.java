package io.gpuvm.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.cli.ForeignCommand;
import io.gpuvm.cli.Main;
import io.gpuvm.guests.cuda.ProgramProcess;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.ThisBuild;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// Tests that every command line in the documents consists of an existing command and existing
/// options. Command lines that need no guest, no card and little time are executed.
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final Map<String, CommandLine> COMMANDS = Main.commandLine().getSubcommands();

    /// Output file of a documented command, which other commands read.
    private static final String ASSEMBLED = "vadd.cubin";

    /// Commands that end quickly and run on every host. Arguments in capitals, or with `...`, are
    /// placeholders.
    private static final Set<String> RUN = Set.of("asm", "disasm", "exec", "run", "help");

    /// Options for files or sockets of another machine or of an earlier command.
    private static final Set<String> ELSEWHERE = Set.of("--socket", "--nouveau", "--json", "--arg");

    static Stream<Documents.Shown> shown() throws IOException {
        return Documents.commands(ROOT).stream();
    }

    static Stream<Documents.Shown> complete() throws IOException {
        return shown().filter(line -> RUN.contains(line.command()) && line.words().size() > 1)
                .filter(line -> line.words().stream().noneMatch(word -> word.contains("...")))
                .filter(line -> line.words().stream().noneMatch(word -> word.matches("[A-Z]+")))
                .filter(line -> line.options().stream().noneMatch(ELSEWHERE::contains))
                .filter(DocumentedCommandsTest::namesFilesOfTheProject)
                .filter(distinct());
    }

    /// Returns a filter that accepts only the first of several equal command lines.
    private static Predicate<Documents.Shown> distinct() {
        Set<List<String>> seen = new HashSet<>();
        return line -> seen.add(line.words());
    }

    @Test
    void givenDocuments_whenSearched_thenCommandsAreFound() throws IOException {
        assertTrue(shown().count() > 50, "commands found");
        assertTrue(complete().count() > 5, "commands that can be run");
    }

    @ParameterizedTest
    @MethodSource("shown")
    void givenCommandLine_whenLookedUp_thenCommandAndOptionsExist(Documents.Shown line) {
        CommandLine command = COMMANDS.get(line.command());
        assertNotNull(command, () -> "no such command: " + line);
        // This class path lacks the options of benchmark and figure commands.
        if (!(command.getCommand() instanceof ForeignCommand)) {
            String second = line.words().size() > 1 ? line.words().get(1) : "";
            CommandLine named = command.getSubcommands().getOrDefault(second, command);
            Set<String> known = named.getCommandSpec().optionsMap().keySet();
            line.options()
                    .forEach(option -> assertTrue(known.contains(option), option + " of " + line));
        }
    }

    @Tag("commands")
    @ParameterizedTest
    @MethodSource("complete")
    void givenIndependentCommandLine_whenExecuted_thenExitStatusIsZero(
            Documents.Shown line, @TempDir Path folder) throws Exception {
        Files.createSymbolicLink(folder.resolve("docs"), ROOT.resolve("docs"));
        if (line.words().contains(ASSEMBLED) && !line.command().equals("asm")) {
            assertEquals(0, assemble(folder), "assembly of the documented file");
        }

        assertEquals(0, run(folder, line.words()), line::toString);
    }

    /// Executes a line that the documents contain with two commands: the compilation of a program
    /// and its run.
    @Tag("commands")
    @Test
    void givenCudaProgramOfReadme_whenCompiledAndRun_thenItsCheckSucceeds(@TempDir Path folder)
            throws Exception {
        assumeTrue(
                Stream.of(16, 19, 22)
                        .map(version -> "clang-%d/clang".formatted(version))
                        .anyMatch(
                                clang -> Files.exists(GuestFiles.locate().cache().resolve(clang))),
                "no clang is set up");
        Files.createSymbolicLink(folder.resolve("docs"), ROOT.resolve("docs"));
        String line = "./gpuvm cc docs/examples/saxpy.cu -o saxpy && ./gpuvm exec-cuda ./saxpy";
        assertTrue(Files.readString(ROOT.resolve("README.md")).contains("\n" + line + "\n"));

        for (String command : line.split(" && ")) {
            List<String> words = List.of(command.split(" "));
            assertEquals(0, run(folder, words.subList(1, words.size())), command);
        }
    }

    private static int assemble(Path folder) throws Exception {
        return run(folder, List.of("asm", "docs/examples/vadd.sass", "-o", ASSEMBLED));
    }

    private static int run(Path folder, List<String> words) throws Exception {
        List<String> command = new ArrayList<>(ProgramProcess.starterOf(words.getFirst()));
        command.addAll(
                ThisBuild.gpuvm(List.of(JvmOptions.kernels(), "-Dgpuvm.root=" + ROOT), words));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertFalse(said.contains("Exception"), said);
        return process.waitFor();
    }

    private static boolean namesFilesOfTheProject(Documents.Shown line) {
        return line.words().stream()
                .filter(word -> word.endsWith(".cubin") || word.endsWith(".sass"))
                .allMatch(word -> word.equals(ASSEMBLED) || Files.exists(ROOT.resolve(word)));
    }
}
