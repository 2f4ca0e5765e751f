package io.gpuvm.guests.real;

import java.util.ArrayList;
import java.util.List;

/// Combination of each kernel warning with its register dump and call trace into one record, so
/// that an allow-list permits or rejects the whole record.
final class KernelTraces {
    private static final String BEGIN = "[ cut here ]";
    private static final String END = "---[ end trace";

    private KernelTraces() {}

    /// Joins the lines between `cut here` and `end trace` with spaces. The record has the level and
    /// time of the `cut here` line. A trace without an end extends to the end of the log.
    static List<GuestEvent.Log> join(List<GuestEvent.Log> log) {
        List<GuestEvent.Log> joined = new ArrayList<>();
        GuestEvent.Log first = null;
        List<String> lines = new ArrayList<>();
        for (GuestEvent.Log entry : log) {
            if (first == null && !entry.text().contains(BEGIN)) {
                joined.add(entry);
            } else if (first == null) {
                first = entry;
            } else if (!entry.text().startsWith(END)) {
                lines.add(entry.text());
            } else {
                joined.add(trace(first, lines));
                first = null;
                lines.clear();
            }
        }
        if (first != null) {
            joined.add(trace(first, lines));
        }
        return joined;
    }

    private static GuestEvent.Log trace(GuestEvent.Log first, List<String> lines) {
        return new GuestEvent.Log(
                first.phase(), first.level(), first.us(), String.join(" ", lines));
    }
}
