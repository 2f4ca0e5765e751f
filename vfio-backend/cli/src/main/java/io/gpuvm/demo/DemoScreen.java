package io.gpuvm.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Output of the demonstration: permanent lines, and below them the figures of each virtual
/// machine. On a terminal, new figures overwrite the previous figures; elsewhere they are printed
/// at intervals.
///
/// Any thread; lines are printed whole.
final class DemoScreen {
    /// Number of updates for each printed update if the output is not a terminal.
    private static final int PLAIN_STEP = 5;

    private static final String CURSOR_UP = "\033[%dA\r";
    private static final String ERASE_BELOW = "\033[J";

    /// Disables wrapping: a line wider than the terminal would occupy two rows, and the table would
    /// be higher than assumed.
    private static final String WRAP_OFF = "\033[?7l";

    private static final String WRAP_ON = "\033[?7h";

    private final PrintStream out;
    private final boolean terminal;
    private final long startNs = System.nanoTime();
    private final Map<String, String> activities = new LinkedHashMap<>();
    private VmFigures.Table table = VmFigures.Table.EMPTY;
    private boolean closed;
    private int linesDrawn;
    private int shown;

    /// @param terminal whether output can be overwritten
    DemoScreen(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /// Prints a permanent line.
    synchronized void say(String who, String text) {
        print(List.of(sentence(who, text)), true);
    }

    /// Sets the description of a virtual machine's present activity, one or two words.
    synchronized void activity(String vm, String text) {
        activities.put(vm, text);
    }

    /// Shows the backend's counters. Called once per second.
    ///
    /// @param summary counters, as the backend's summary in JSON
    synchronized void show(JsonNode summary) {
        table = table.next(summary);
        shown++;
        if (terminal) {
            print(List.of(), true);
        } else if (shown % PLAIN_STEP == 0) {
            print(
                    table.rows().stream()
                            .map(row -> sentence(row.name(), row.sentence(activity(row))))
                            .toList(),
                    false);
        }
    }

    /// Removes the figures, prints the last lines, and ends the output. Has no effect if called
    /// again.
    synchronized void close(List<String> lines) {
        print(lines, false);
        closed = true;
    }

    private String sentence(String who, String text) {
        return "%6.1f s  %-4s %s".formatted((System.nanoTime() - startNs) / 1e9, who, text);
    }

    /// Prints lines and figures in one write, so that the table never disappears from the terminal.
    ///
    /// @param draw whether to draw the figures below, on a terminal
    private void print(List<String> lines, boolean draw) {
        if (closed) {
            return;
        }
        StringBuilder text = new StringBuilder();
        if (linesDrawn > 0) {
            text.append(CURSOR_UP.formatted(linesDrawn)).append(ERASE_BELOW);
            linesDrawn = 0;
        }
        lines.forEach(line -> text.append(line).append(System.lineSeparator()));
        if (draw && terminal && !table.rows().isEmpty()) {
            text.append(WRAP_OFF);
            List<String> drawn = new ArrayList<>(List.of("", VmFigures.HEADER));
            table.rows().forEach(row -> drawn.add(row.line(activity(row))));
            drawn.forEach(line -> text.append(line).append(System.lineSeparator()));
            text.append(WRAP_ON);
            linesDrawn = drawn.size();
        }
        out.print(text);
        out.flush();
    }

    private String activity(VmFigures row) {
        return activities.getOrDefault(row.name(), "");
    }
}
