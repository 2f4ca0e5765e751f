package io.gpuvm.guests.real;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The kernel log of one machine, phase by phase, held against the allow-lists.
public final class KernelLog {
    private static final Pattern SERIES = Pattern.compile("^\\d+\\.\\d+");

    /// A line of the kernel log, and whether an allow-list has it.
    public record Warning(String phase, int level, String text, boolean allowed) {}

    private final BiFunction<String, String, LogAllowList> allowLists;
    private final Map<String, LogAllowList> used = new HashMap<>();
    private final List<GuestEvent.Log> phase = new ArrayList<>();
    private final List<Warning> warnings = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private String kernel = "";

    /// @param allowLists by kernel series (`6.12`) and phase
    public KernelLog(BiFunction<String, String, LogAllowList> allowLists) {
        this.allowLists = allowLists;
    }

    /// Says which release the kernel is of, before any of its phases ends.
    public void booted(String release) {
        kernel = release;
    }

    /// Takes the next record. One of another phase ends the phase before.
    public void add(GuestEvent.Log log) {
        if (!phase.isEmpty() && !phase.getLast().phase().equals(log.phase())) {
            endPhase();
        }
        phase.add(log);
    }

    /// What was logged in the phase that has not ended.
    List<GuestEvent.Log> phase() {
        return phase;
    }

    /// Judges the phase that is over.
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

    /// Every line at level warning or worse of the phases that have ended.
    public List<Warning> warnings() {
        return List.copyOf(warnings);
    }

    /// Those that no allow-list has, as reasons why the run failed.
    public List<String> failures() {
        return List.copyOf(failures);
    }
}
