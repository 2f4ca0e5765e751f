package io.gpuvm.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a reader sees: lines that stay, and below them the figures of each virtual machine, which
/// on a terminal are printed over and elsewhere once in a while.
///
/// Safe for use by any thread; lines are printed whole.
final class DemoScreen {
    /// Elsewhere, of so many figures one is printed.
    private static final int PLAIN_STEP = 5;

    private static final String CURSOR_UP = "\033[%dA\r";
    private static final String ERASE_BELOW = "\033[J";

    /// A line that is wider than the terminal ends at its edge: were it two, the table would be
    /// higher than it is taken for.
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

    /// @param terminal whether lines can be printed over
    DemoScreen(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /// Prints a line that stays.
    synchronized void say(String who, String text) {
        print(List.of(sentence(who, text)), true);
    }

    /// What a virtual machine does from now on, in a word or two.
    synchronized void activity(String vm, String text) {
        activities.put(vm, text);
    }

    /// The backend's counters, once a second, in the form of its summary.
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

    /// Takes the figures away, prints the last lines, and nothing more. Without effect if that has
    /// happened.
    synchronized void close(List<String> lines) {
        print(lines, false);
        closed = true;
    }

    private String sentence(String who, String text) {
        return "%6.1f s  %-4s %s".formatted((System.nanoTime() - startNs) / 1e9, who, text);
    }

    /// At once, so that nobody sees a terminal without its table.
    ///
    /// @param draw whether the figures are to be below, on a terminal
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
