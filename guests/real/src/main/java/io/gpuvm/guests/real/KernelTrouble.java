package io.gpuvm.guests.real;

import java.util.List;
import java.util.regex.Pattern;

/// First report of a kernel error on a guest's console. Later hangs follow from it, and the end of
/// the console may no longer contain it.
final class KernelTrouble {
    private static final Pattern BEGINS =
            Pattern.compile("(BUG|Oops|WARNING|INFO: task .* blocked|Kernel panic)\\b");

    private static final int LINES = 45;

    private KernelTrouble() {}

    /// Returns the first report, with the line before it.
    ///
    /// @param console all lines of a guest's console
    /// @return empty if the console has no report
    static List<String> first(List<String> console) {
        for (int i = 0; i < console.size(); i++) {
            if (BEGINS.matcher(console.get(i)).find()) {
                return console.subList(Math.max(0, i - 1), Math.min(console.size(), i + LINES));
            }
        }
        return List.of();
    }
}
