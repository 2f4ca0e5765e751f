package io.gpuvm.tests.demo;

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
final class Board {
    /// Elsewhere, of so many figures one is printed.
    private static final int PLAIN_STEP = 5;

    private static final String CURSOR_UP = "\033[%dA";
    private static final String ERASE_BELOW = "\033[J";

    private final PrintStream out;
    private final boolean terminal;
    private final long startNs = System.nanoTime();
    private final Map<String, String> activities = new LinkedHashMap<>();
    private VmFigures.Table table = VmFigures.Table.EMPTY;
    private boolean held;
    private int linesDrawn;
    private int shown;

    /// @param terminal whether lines can be printed over
    Board(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /// Prints a line that stays.
    synchronized void say(String who, String text) {
        erase();
        out.printf("%6.1f s  %-4s %s%n", (System.nanoTime() - startNs) / 1e9, who, text);
        draw();
    }

    /// Prints lines that stay, as they are.
    synchronized void print(List<String> lines) {
        erase();
        lines.forEach(out::println);
        draw();
    }

    /// What a virtual machine does from now on, in a word or two.
    synchronized void activity(String vm, String text) {
        activities.put(vm, text);
    }

    /// The backend's counters, once a second, in the form of its summary.
    synchronized void show(JsonNode summary) {
        table = table.next(summary);
        shown++;
        if (isInPlace()) {
            erase();
            draw();
        } else if (shown % PLAIN_STEP == 0) {
            table.rows().forEach(row -> say(row.name(), row.sentence(activity(row))));
        }
    }

    /// Whether others print on the terminal meanwhile, so that nothing may be printed over.
    synchronized void hold(boolean yes) {
        erase();
        held = yes;
    }

    /// Takes the figures away, for good.
    synchronized void close() {
        erase();
        held = true;
    }

    private boolean isInPlace() {
        return terminal && !held;
    }

    private void erase() {
        if (linesDrawn > 0) {
            out.print(CURSOR_UP.formatted(linesDrawn) + ERASE_BELOW);
            linesDrawn = 0;
        }
    }

    private void draw() {
        if (isInPlace() && !table.rows().isEmpty()) {
            List<String> lines = new ArrayList<>(List.of("", VmFigures.HEADER));
            table.rows().forEach(row -> lines.add(row.line(activity(row))));
            lines.forEach(out::println);
            linesDrawn = lines.size();
        }
        out.flush();
    }

    private String activity(VmFigures row) {
        return activities.getOrDefault(row.name(), "");
    }
}
