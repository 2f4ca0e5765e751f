package io.gpuvm.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// Width of help texts: that of the terminal, within limits.
final class HelpWidth {
    /// Minimum in columns, also used without a terminal.
    static final int LEAST = 80;

    /// Maximum in columns; longer lines are hard to read.
    static final int MOST = 120;

    private HelpWidth() {}

    /// Returns the width in columns: `$COLUMNS`, if exported, else the width of the terminal.
    static int ofTerminal() {
        return within(columns(System.getenv("COLUMNS")));
    }

    /// Returns the nearest permitted width.
    static int within(int columns) {
        return Math.clamp(columns, LEAST, MOST);
    }

    private static int columns(String exported) {
        if (exported != null && exported.matches("[1-9]\\d{0,5}")) {
            return Integer.parseInt(exported);
        }
        return new CommandLine(CommandSpec.create())
                .setUsageHelpAutoWidth(true)
                .getUsageHelpWidth();
    }
}
