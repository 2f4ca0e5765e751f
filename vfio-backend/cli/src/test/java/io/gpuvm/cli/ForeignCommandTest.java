package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.JvmOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of commands that start a JVM of another module, here a module with one class.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ForeignCommandTest {
    private static final String MODULE = "module";
    private static final int TERMINATED = 128 + 15;

    @TempDir private Path root;

    /// Program of the other module. It writes its arguments to the file in the first argument and
    /// ends with the status in the second argument; without arguments, it runs until it is killed.
    static final class Echo {
        private Echo() {}

        public static void main(String[] arguments) throws Exception {
            if (arguments.length == 0) {
                System.out.println(ProcessHandle.current().pid());
                new CountDownLatch(1).await();
            }
            List<String> lines = new ArrayList<>(List.of(arguments));
            lines.add(System.getProperty("gpuvm.root"));
            lines.add(System.getProperty("option"));
            Files.write(Path.of(arguments[0]), lines);
            System.exit(Integer.parseInt(arguments[1]));
        }
    }

    /// Program that runs a command of the other module, in a project whose folder is the first
    /// argument.
    static final class Host {
        private Host() {}

        public static void main(String[] arguments) throws Exception {
            System.exit(command(Path.of(arguments[0])).call());
        }
    }

    @BeforeEach
    void createProject() throws IOException {
        Path options = Files.createDirectories(root.resolve("etc/jvm"));
        Files.writeString(options.resolve("every.options"), "-XX:+UseSerialGC\n");
        Files.writeString(options.resolve("some.options"), "-Doption=set\n");
        String name = Echo.class.getName().replace('.', '/') + ".class";
        Path file = root.resolve(MODULE).resolve("target/classes").resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream code = Echo.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(code, file);
        }
    }

    private static ForeignCommand command(Path root) {
        return new ForeignCommand(
                "Echo.",
                new ForeignCommand.Program(MODULE, Echo.class.getName(), List.of("some")),
                () -> root);
    }

    @Test
    void givenOptionsOfOtherProgram_whenRun_thenJvmReceivesAllAndStatusIsReturned()
            throws IOException {
        Path file = root.resolve("arguments");
        List<String> arguments =
                List.of("" + file, "7", "--help", "-V", "--", "@x", "a b", "--gpu=soft", "");
        List<CommandTable.Entry> table =
                List.of(new CommandTable.Entry(CommandGroup.MEASURE, "echo", command(root)));
        List<String> words = new ArrayList<>(List.of("echo"));
        words.addAll(arguments);

        int status =
                Main.commandLine(table, () -> HelpWidth.LEAST)
                        .execute(words.toArray(String[]::new));

        assertEquals(7, status);
        List<String> expected = new ArrayList<>(arguments);
        expected.addAll(List.of(root.toString(), "set"));
        assertEquals(expected, Files.readAllLines(file));
    }

    @Test
    void givenRunningProgram_whenCommandIsTerminated_thenProgramEnds() throws Exception {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(JvmOptions.opening());
        words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        words.addAll(List.of(Host.class.getName(), root.toString()));
        Process host = new ProcessBuilder(words).redirectErrorStream(true).start();
        try (BufferedReader out = host.inputReader()) {
            ProcessHandle program = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();

            host.destroy();

            assertEquals(TERMINATED, host.waitFor());
            program.onExit().get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void givenTable_whenForeignCommandsAreRead_thenModulesContainMainClasses() {
        Path project = Path.of(System.getProperty("gpuvm.root"));
        for (CommandTable.Entry entry : CommandTable.ALL) {
            if (entry.command() instanceof ForeignCommand foreign) {
                String name = foreign.program().mainClass();
                Path module = project.resolve(foreign.program().module());
                Path source = module.resolve("src/main/java/" + name.replace('.', '/') + ".java");
                assertTrue(Files.exists(module.resolve("pom.xml")), entry::name);
                assertTrue(!name.startsWith("io.gpuvm.") || Files.exists(source), entry::name);
            }
        }
    }
}
