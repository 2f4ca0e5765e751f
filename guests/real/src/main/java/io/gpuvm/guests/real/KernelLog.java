package io.gpuvm.guests.real;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Kernel log of one machine, checked phase by phase against the allow-lists.
public final class KernelLog {
    private static final Pattern SERIES = Pattern.compile("^\\d+\\.\\d+");

    /// Line of the kernel log, and whether an allow-list contains it.
    public record Warning(String phase, int level, String text, boolean allowed) {}

    private final BiFunction<String, String, LogAllowList> allowLists;
    private final Map<String, LogAllowList> used = new HashMap<>();
    private final List<GuestEvent.Log> phase = new ArrayList<>();
    private final List<Warning> warnings = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private String kernel = "";

    /// @param allowLists allow-lists by kernel series (`6.12`) and phase
    public KernelLog(BiFunction<String, String, LogAllowList> allowLists) {
        this.allowLists = allowLists;
    }

    /// Sets the kernel's release, before the end of the first phase.
    public void booted(String release) {
        kernel = release;
    }

    /// Adds the next record. A record of another phase ends the current phase.
    public void add(GuestEvent.Log log) {
        if (!phase.isEmpty() && !phase.getLast().phase().equals(log.phase())) {
            endPhase();
        }
        phase.add(log);
    }

    /// Returns the records of the current phase.
    List<GuestEvent.Log> phase() {
        return phase;
    }

    /// Ends the current phase and checks its records.
    public void endPhase() {
        for (GuestEvent.Log log : KernelTraces.join(phase)) {
            if (log.isWarningOrWorse()) {
                judge(log);
            }
        }
        phase.clear();
    }

    private void judge(GuestEvent.Log log) {
        boolean allowed =
                used.computeIfAbsent(log.phase(), name -> allowLists.apply(series(), name))
                        .allows(log.text());
        warnings.add(new Warning(log.phase(), log.level(), log.text(), allowed));
        if (!allowed) {
            failures.add(
                    "kernel log, phase %s, level %d: %s"
                            .formatted(log.phase(), log.level(), log.text()));
        }
    }

    private String series() {
        Matcher series = SERIES.matcher(kernel);
        return series.find() ? series.group() : "unknown";
    }

    /// Returns all lines at level warning or worse of the phases that have ended.
    public List<Warning> warnings() {
        return List.copyOf(warnings);
    }

    /// Returns the failures: warnings that no allow-list contains.
    public List<String> failures() {
        return List.copyOf(failures);
    }
}
