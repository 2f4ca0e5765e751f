package io.gpuvm.guests.real;

import io.gpuvm.guests.real.GuestEvent.Check;
import io.gpuvm.guests.real.GuestEvent.Log;
import java.io.PrintStream;

/// Printer of a run's events, line by line.
public final class ProgressPrinter implements RunListener {
    private final PrintStream out;
    private final boolean verbose;

    /// @param verbose whether to print the whole kernel log instead of only driver messages and
    ///   warnings
    public ProgressPrinter(PrintStream out, boolean verbose) {
        this.out = out;
        this.verbose = verbose;
    }

    @Override
    public void onProgress(String text) {
        out.println(text);
    }

    @Override
    public void onEvent(String vm, GuestEvent event) {
        String text =
                switch (event) {
                    case GuestEvent.Booted booted -> "booted Linux " + booted.kernel();
                    case Log log -> text(log);
                    case GuestEvent.Bound bound -> "VFIO group " + bound.group();
                    case GuestEvent.Started started -> "program " + started.program();
                    case GuestEvent.Loaded _ -> "driver loaded";
                    case GuestEvent.Unloaded _ -> "driver unloaded";
                    case GuestEvent.Exited exited ->
                            "program %s: exit status %d"
                                    .formatted(exited.program(), exited.status());
                    case GuestEvent.Finished() -> "powering off";
                    case GuestEvent.Asked(String what) -> "request: " + what;
                    case GuestEvent.Note note -> note.text();
                    case Check check -> (check.ok() ? "ok: " : "FAILED: ") + check.text();
                    case GuestEvent.Case test ->
                            "%s: %s (%d ms) %s"
                                    .formatted(test.result(), test.name(), test.ms(), test.reason())
                                    .strip();
                    case GuestEvent.Skipped skipped ->
                            "skipped %s: %s".formatted(skipped.what(), skipped.reason());
                    case GuestEvent.Measured figure ->
                            "%s=%.0f".formatted(figure.name(), figure.value());
                    case GuestEvent.Progress progress when verbose ->
                            "%s: %d".formatted(progress.name(), progress.count());
                    case GuestEvent.Progress _ -> null;
                    case GuestEvent.Moved _, GuestEvent.ExpectedLog _, GuestEvent.Cases _ -> null;
                    case GuestEvent.MeasurementPiece _ -> null;
                    case GuestEvent.Other other -> other.line();
                };
        if (text != null) {
            out.printf("%s: %s%n", vm, text);
        }
    }

    private String text(Log log) {
        boolean interesting =
                log.text().startsWith("nouveau")
                        || log.text().startsWith("[drm]")
                        || log.text().startsWith("vfio")
                        || log.isWarningOrWorse() && !log.phase().equals("boot");
        return verbose || interesting
                ? "[%9.3f] <%d> %s".formatted(log.us() / 1e6, log.level(), log.text())
                : null;
    }
}
