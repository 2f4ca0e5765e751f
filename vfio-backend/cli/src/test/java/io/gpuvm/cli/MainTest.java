package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/// Tests of the command line as a whole: subcommands, their groups, help texts, and errors.
class MainTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));

    private final Shell shell = new Shell();

    static Stream<CommandLine> commands() {
        List<CommandLine> all = new ArrayList<>();
        collect(Main.commandLine(CommandTable.ALL, () -> HelpWidth.LEAST), all);
        return all.stream();
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().forEach(sub -> collect(sub, all));
    }

    static Stream<String> names() {
        return CommandTable.ALL.stream()
                .filter(entry -> !(entry.command() instanceof ForeignCommand))
                .map(CommandTable.Entry::name);
    }

    @Test
    void givenTable_whenGroupsAreRead_thenEachCommandIsInOneGroupUnderSameName() {
        Set<String> names = new HashSet<>();
        Set<CommandGroup> groups = new HashSet<>();
        for (CommandTable.Entry entry : CommandTable.ALL) {
            assertTrue(names.add(entry.name()), () -> entry.name() + " occurs twice");
            groups.add(entry.group());
            if (entry.command() instanceof Class<?> type) {
                assertEquals(type.getAnnotation(Command.class).name(), entry.name());
            }
        }
        assertEquals(Set.of(CommandGroup.values()), groups);
        assertEquals(
                Main.commandLine().getSubcommands().values().stream()
                        .map(CommandLine::getCommandName)
                        .collect(Collectors.toSet()),
                names);
    }

    @Test
    void givenScript_whenRead_thenScriptExecutesCommandsWithoutClasses() throws IOException {
        String script = Files.readString(ROOT.resolve("gpuvm"));
        for (CommandTable.Entry entry : CommandTable.ALL) {
            boolean own =
                    entry.command() instanceof Class<?> type
                            && ScriptCommand.class.isAssignableFrom(type);
            assertEquals(own, script.contains("\n    " + entry.name() + ")\n"), entry.name());
        }
    }

    @Test
    void givenNoArguments_whenRun_thenAllCommandsAreListedByGroup() {
        assertEquals(2, shell.run());

        for (CommandGroup group : CommandGroup.values()) {
            assertTrue(shell.out().contains("\n" + group.title() + "\n"), shell::out);
        }
        for (CommandTable.Entry entry : CommandTable.ALL) {
            assertTrue(shell.out().contains("\n  " + entry.name() + " "), entry.name());
        }
        assertTrue(shell.out().lines().noneMatch(line -> line.startsWith("    ")), shell::out);
        String listing = shell.out();
        assertEquals(0, shell.run("help"));
        assertEquals(listing, shell.out());
        assertEquals(0, shell.run("--help"));
        assertEquals(listing, shell.out());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void givenTerminalOf80Columns_whenHelpIsRendered_thenNoLineIsLonger(CommandLine command) {
        for (String line : command.getUsageMessage().lines().toList()) {
            assertTrue(line.length() <= HelpWidth.LEAST, line);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void givenCommand_whenOptionsAreRead_thenTextsAreOneParagraphWithDefault(CommandLine command) {
        assertTrue(command.getCommandSpec().usageMessage().description()[0].endsWith("."));
        for (OptionSpec option : command.getCommandSpec().options()) {
            String name = option.longestName();
            assertEquals(1, option.description().length, name);
            String text = option.description()[0];
            assertTrue(text.endsWith("."), name);
            if (option.arity().max() > 0 && !option.required()) {
                assertTrue(text.contains("Default") || WITHOUT.contains(name), name + ": " + text);
            }
        }
    }

    /// Options with a value that are required by other options or have no default.
    private static final Set<String> WITHOUT =
            Set.of("--kernel", "--arg", "--texture", "--modules", "--vm", "--recording");

    @ParameterizedTest
    @MethodSource("names")
    void givenCommand_whenHelpIsRequested_thenHelpCommandAndOptionPrintSameText(String name) {
        assertEquals(0, shell.run(name, "--help"), shell::err);
        String text = shell.out();
        assertTrue(text.startsWith("Usage: gpuvm " + name), text);

        assertEquals(0, shell.run("help", name), shell::err);

        assertEquals(text, shell.out());
    }

    @ParameterizedTest
    @CsvSource({
        "serv, serve",
        "bench-kernel, bench-kernels",
        "help serv, serve",
        "run --sockt=/x, --socket",
        "serve --recrod=x, --record",
        "fairness --polic fair, --policy"
    })
    void givenUnknownWord_whenRun_thenNearestWordIsSuggestedAndStatusIs2(
            String line, String known) {
        assertEquals(2, shell.run((Object[]) line.split(" ")), shell::err);

        String suggested =
                shell.err()
                        .lines()
                        .filter(text -> text.startsWith("did you mean: "))
                        .collect(Collectors.joining());
        assertTrue(suggested.startsWith("did you mean: " + known), shell::err);
        assertEquals("", shell.out());
    }

    @ParameterizedTest
    @CsvSource({"zzzzzz", "run --zzzzzz", "doctor 0000:01:00.0 0000:02:00.0"})
    void givenDissimilarWord_whenRun_thenNoWordIsSuggested(String line) {
        assertEquals(2, shell.run((Object[]) line.split(" ")), shell::err);

        assertTrue(!shell.err().contains("did you mean"), shell::err);
        assertTrue(shell.err().contains("--help'"), shell::err);
    }

    @ParameterizedTest
    @CsvSource({"test", "build", "package", "jdk", "ctl /tmp/ctl status"})
    void givenCommandOfScript_whenRunInJava_thenScriptIsNamed(String line) {
        String[] words = line.split(" ");
        assertEquals(2, shell.run((Object[]) words));

        assertTrue(shell.err().contains("./gpuvm " + words[0]), shell::err);
    }

    @Test
    void givenNamedCommand_whenEntriesAreSelected_thenOtherCommandsAreOmitted() {
        List<CommandTable.Entry> all = CommandTable.ALL;
        assertEquals(1, CommandTable.neededFor(all, "run", "mmul").size());
        assertEquals(0, CommandTable.neededFor(all, "--version").size());
        assertEquals(all, CommandTable.neededFor(all, "help", "run"));
        assertEquals(all, CommandTable.neededFor(all, "rum"));
        assertEquals(all, CommandTable.neededFor(all));
    }

    @Test
    void givenInstallation_whenCommandsAreListed_thenThoseOfCheckoutsAreOmitted() {
        List<String> names =
                CommandTable.installed().stream().map(CommandTable.Entry::name).toList();

        assertTrue(names.containsAll(List.of("run", "exec-cuda", "cc", "serve", "ctl", "help")));
        for (String name : List.of("test", "build", "jdk", "demo", "real-guest", "evaluate")) {
            assertTrue(!names.contains(name), name);
        }
    }

    @Test
    void givenMainCommand_whenVersionIsRequested_thenItIsThatOfProject() throws IOException {
        assertEquals(0, shell.run("--version"));

        String version = shell.out().strip().substring("gpuvm ".length());
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        assertTrue(pom.contains("<version>" + version + "</version>"), version);
    }

    @ParameterizedTest
    @CsvSource({"0, 80", "80, 80", "97, 97", "500, 120"})
    void givenTerminal_whenHelpIsRendered_thenWidthIsWithinLimits(int columns, int width) {
        assertEquals(width, HelpWidth.within(columns));
    }
}
