package io.gpuvm.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.counters.CountersException;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.top.TopAction;
import io.gpuvm.top.TopBackend;
import io.gpuvm.top.TopFiles;
import io.gpuvm.top.TopLoop;
import io.gpuvm.top.TopScreen;
import io.gpuvm.top.TopSort;
import io.gpuvm.top.TopView;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm top`: shows virtual machines, engines and backends continuously.
@Command(
        name = "top",
        description = "Show how virtual machines use the GPUs of running backends.",
        sortOptions = false,
        footer = {
            "",
            "The counters come from files that the backends write (docs/operations.md), so they are"
                    + " shown, too, while a backend hangs, and after it has died.",
            "",
            "Keys: q quit, up and down select, s order, r reverse, / filter, w weight, c cap, K stop"
                    + " the running commands, space pause, h help. Without a terminal, and with"
                    + " --once, the output is lines of text.",
            "",
            "Exit status: 0 the user has quit, 1 no counters were found, 2 wrong arguments."
        })
final class TopCommand implements Callable<Integer> {
    private static final Path USUAL = Path.of("/run/gpuvm");
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3600;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final int USUAL_COLUMNS = 80;
    private static final int LEAST_COLUMNS = 40;
    private static final int MOST_COLUMNS = 1000;
    private static final int WHOLE_PERCENT = 100;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description =
                    "Run folder of a backend, folder of such folders, file of counters, or control"
                            + " socket. Default: the environment variable GPUVM_CTL, or"
                            + " /run/gpuvm.")
    private List<Path> paths = List.of();

    @Option(names = "--once", description = "One frame, after one interval.")
    private boolean once;

    @Option(
            names = "--json",
            description = "Output as one line of JSON for each frame. Implies no keys.")
    private boolean json;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description =
                    "Interval between frames, in seconds, 0.1 to 3600. Default: ${DEFAULT-VALUE}.")
    private double interval;

    @Option(
            names = "--sort",
            paramLabel = "KEY",
            defaultValue = "share",
            description =
                    "Order of the virtual machines: share, time, queue, wait, vram, traps, entries"
                            + " or name. Default: ${DEFAULT-VALUE}.")
    private TopSort sort;

    @Option(
            names = "--filter",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Part of the names of the shown virtual machines. Default: all.")
    private String filter;

    @Option(
            names = "--columns",
            paramLabel = "N",
            description =
                    "Width of the lines without a terminal, 40 to 1000. Default: the environment"
                            + " variable COLUMNS, or 80.")
    private Integer columns;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(interval >= LEAST_SECONDS && interval <= MOST_SECONDS)) {
            throw new ConfigException(
                    "--interval %s, expected 0.1 to 3600 seconds".formatted(interval));
        }
        if (columns != null && (columns < LEAST_COLUMNS || columns > MOST_COLUMNS)) {
            throw new ConfigException(
                    "--columns %d, expected %d to %d"
                            .formatted(columns, LEAST_COLUMNS, MOST_COLUMNS));
        }
        TopFiles files = new TopFiles(pathsOf());
        Duration pause = Duration.ofMillis(Math.round(interval * MILLIS_PER_SECOND));
        TopView view = TopView.of(sort, filter);
        try {
            if (once || json || !isTerminal()) {
                print(files, pause, view);
            } else {
                new TopLoop(files::next, TopCommand::execute, pause, view).run();
            }
        } catch (CountersException e) {
            throw new CommandFailedException(e.getMessage(), e);
        }
        return 0;
    }

    private List<Path> pathsOf() {
        if (!paths.isEmpty()) {
            return paths;
        }
        String control = System.getenv("GPUVM_CTL");
        if (control != null && !control.isEmpty()) {
            return List.of(Path.of(control));
        }
        if (!Files.isDirectory(USUAL)) {
            throw new ConfigException(
                    "PATH is missing, GPUVM_CTL is not set, and %s does not exist"
                            .formatted(USUAL));
        }
        return List.of(USUAL);
    }

    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /// Prints frames until the reader closes the pipe.
    private void print(TopFiles files, Duration pause, TopView view) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<TopBackend> first = files.next();
        if (once && first.stream().noneMatch(TopCommand::changes)) {
            print(out, first, view);
            return;
        }
        do {
            Thread.sleep(pause);
            print(out, files.next(), view);
        } while (!once && !out.checkError());
    }

    private static boolean changes(TopBackend backend) {
        return switch (backend.state()) {
            case SERVING, HUNG -> true;
            case STOPPED, DEAD -> false;
        };
    }

    private void print(PrintWriter out, List<TopBackend> frame, TopView view) {
        if (json) {
            out.println(jsonOf(frame));
        } else {
            TopScreen.render(frame, view, size()).forEach(out::println);
        }
        out.flush();
    }

    private TopScreen.Size size() {
        boolean isUnicode = Charset.defaultCharset().equals(StandardCharsets.UTF_8);
        return new TopScreen.Size(columnsOf(), 0, false, isUnicode);
    }

    private int columnsOf() {
        if (columns != null) {
            return columns;
        }
        String given = System.getenv("COLUMNS");
        return given != null && given.matches("[0-9]{2,3}")
                ? Integer.parseInt(given)
                : USUAL_COLUMNS;
    }

    private static String jsonOf(List<TopBackend> frame) {
        try {
            return new ObjectMapper().writeValueAsString(frame);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Executes a change, and returns a message about it.
    private static String execute(TopAction action) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        String done =
                switch (action) {
                    case TopAction.SetWeight set -> {
                        request.put("request", "weight").put("weight", set.weight());
                        yield "the weight of %s is %d".formatted(set.vm(), set.weight());
                    }
                    case TopAction.SetCap set -> {
                        boolean isNone = set.capPercent() == WHOLE_PERCENT;
                        request.put("request", "cap")
                                .put("cap", isNone ? null : (Integer) set.capPercent());
                        yield "the cap of %s is %s"
                                .formatted(
                                        set.vm(), isNone ? "none" : set.capPercent() + " percent");
                    }
                    case TopAction.Kill kill -> {
                        request.put("request", "kill");
                        yield "stopped commands of %s: ".formatted(kill.vm());
                    }
                };
        request.put("vm", action.vm());
        try {
            JsonNode answer = ControlConnection.ask(Path.of(action.control()), request);
            if (!answer.path("ok").asBoolean()) {
                return answer.path("error").asText();
            }
            return action instanceof TopAction.Kill ? done + answer.path("stopped").asInt() : done;
        } catch (CommandFailedException e) {
            return e.getMessage();
        }
    }
}
