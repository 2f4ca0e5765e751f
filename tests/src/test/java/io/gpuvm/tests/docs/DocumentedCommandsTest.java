package io.gpuvm.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.ThisBuild;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// Tests that every command line in the documents names a command and options that exist. Command
/// lines that need no guest, no card and little time are executed.
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final String CLI = "io.gpuvm.cli.Main";

    /// Output file of a documented command, which other commands read.
    private static final String ASSEMBLED = "vadd.cubin";

    /// Commands that end soon and run on every host. Arguments in capitals, or with `...`, are
    /// placeholders.
    private static final Set<String> RUN = Set.of("asm", "disasm", "exec", "run", "help");

    /// Options for files or sockets of another machine or of an earlier command.
    private static final Set<String> ELSEWHERE = Set.of("--socket", "--json", "--arg");

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

    /// Filter for commands that several pages show.
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
    void givenCommandLine_whenLookedUp_thenCommandAndOptionsExist(Documents.Shown line)
            throws Exception {
        String main = Launcher.read(ROOT).mains().get(line.command());
        Optional<CommandLine> command =
                main == null
                        ? Optional.of(new CommandLine(Class.forName(CLI)))
                                .map(cli -> cli.getSubcommands().get(line.command()))
                        : command(main.isEmpty() ? CLI : main, line.command());
        assertTrue(main != null || command.isPresent(), () -> "no such command: " + line);
        if (command.isPresent() && !"".equals(main)) {
            Set<String> known = command.get().getCommandSpec().optionsMap().keySet();
            line.options()
                    .forEach(option -> assertTrue(known.contains(option), option + " of " + line));
        }
    }

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

    private static int assemble(Path folder) throws Exception {
        return run(folder, List.of("asm", "docs/examples/vadd.sass", "-o", ASSEMBLED));
    }

    private static int run(Path folder, List<String> words) throws Exception {
        Process process =
                new ProcessBuilder(ThisBuild.gpuvm(List.of(JvmOptions.kernels()), words))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertFalse(said.contains("Exception"), said);
        return process.waitFor();
    }

    @Test
    void givenLauncher_whenClassesAreLookedUp_thenEachClassIsInModule() throws IOException {
        List<Path> modules = modules();
        for (String main : Set.copyOf(Launcher.read(ROOT).mains().values())) {
            String source = "src/main/java/" + main.replace('.', '/') + ".java";
            assertTrue(
                    !main.startsWith("io.gpuvm.")
                            || modules.stream().anyMatch(at -> Files.exists(at.resolve(source))),
                    () -> main + " is in no module");
        }
    }

    private static List<Path> modules() throws IOException {
        return Pattern.compile("<module>(.*?)</module>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(result -> ROOT.resolve(result.group(1)))
                .toList();
    }

    /// Returns the picocli command line of a class, or empty if this class path lacks the class, as
    /// it does for benchmarks and figures.
    private static Optional<CommandLine> command(String main, String name) {
        try {
            CommandLine line = new CommandLine(Class.forName(main));
            return Optional.ofNullable(main.equals(CLI) ? line.getSubcommands().get(name) : line);
        } catch (ClassNotFoundException | CommandLine.InitializationException e) {
            return Optional.empty();
        }
    }

    private static boolean namesFilesOfTheProject(Documents.Shown line) {
        return line.words().stream()
                .filter(word -> word.endsWith(".cubin") || word.endsWith(".sass"))
                .allMatch(word -> word.equals(ASSEMBLED) || Files.exists(ROOT.resolve(word)));
    }
}
