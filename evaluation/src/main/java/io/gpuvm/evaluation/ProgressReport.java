package io.gpuvm.evaluation;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/// Progress of an evaluation: on a terminal, one line that is updated; otherwise, one line per
/// step. One thread.
final class ProgressReport {
    private static final String CLEAR_LINE = "\r\033[K";
    private static final long SECONDS_PER_MINUTE = TimeUnit.MINUTES.toSeconds(1);

    private final PrintWriter out;
    private final boolean terminal;
    private final long startNs = System.nanoTime();
    private String step = "";
    private double secondsToGo;
    private long stepNs = System.nanoTime();

    /// @param terminal whether the output is a terminal
    ProgressReport(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /// Begins a step.
    ///
    /// @param title configuration and round
    /// @param toGo estimated duration of this step and all following steps, in seconds
    void step(String title, double toGo) {
        step = title;
        secondsToGo = toGo;
        stepNs = System.nanoTime();
        if (terminal) {
            show("");
        } else {
            out.println(status(""));
            out.flush();
        }
    }

    /// Reports the current part of the step, for instance a workload; on a terminal only.
    void part(String name) {
        if (terminal) {
            show(": " + name);
        }
    }

    /// Prints a permanent line.
    void note(String text) {
        out.print(terminal ? CLEAR_LINE : "");
        out.println(text);
        out.flush();
    }

    /// Removes the updated line from a terminal.
    void end() {
        if (terminal) {
            out.print(CLEAR_LINE);
            out.flush();
        }
    }

    private void show(String part) {
        out.print(CLEAR_LINE + status(part));
        out.flush();
    }

    private String status(String part) {
        long seconds = secondsSince(startNs);
        long toGo = Math.round(secondsToGo) - secondsSince(stepNs);
        return "%s, %s to go: %s%s".formatted(time(seconds), time(Math.max(0, toGo)), step, part);
    }

    private static long secondsSince(long ns) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - ns);
    }

    /// Formats a duration as minutes and seconds.
    static String time(long seconds) {
        return "%d:%02d".formatted(seconds / SECONDS_PER_MINUTE, seconds % SECONDS_PER_MINUTE);
    }
}
