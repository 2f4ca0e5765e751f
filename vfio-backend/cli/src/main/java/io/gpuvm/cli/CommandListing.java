package io.gpuvm.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/// Section of the help text that lists all subcommands by group.
final class CommandListing {
    private static final int INDENT = 2;

    private CommandListing() {}

    static String of(Help help) {
        Map<String, CommandLine> commands = help.commandSpec().subcommands();
        int longest = commands.keySet().stream().mapToInt(String::length).max().orElse(0);
        int names = INDENT + longest;
        int width = help.commandSpec().usageMessage().width();
        StringBuilder text = new StringBuilder();
        for (CommandGroup group : CommandGroup.values()) {
            TextTable table =
                    TextTable.forColumns(
                            help.colorScheme(),
                            new Column(names, INDENT, Column.Overflow.SPAN),
                            new Column(width - names, INDENT, Column.Overflow.WRAP));
            for (CommandTable.Entry entry : CommandTable.ALL) {
                CommandLine command = commands.get(entry.name());
                if (entry.group() == group && command != null) {
                    table.addRowValues(entry.name(), summaryOf(command));
                }
            }
            text.append(System.lineSeparator());
            text.append(group.title()).append(System.lineSeparator());
            text.append(table);
        }
        return text.toString();
    }

    /// Returns the first paragraph of the description.
    private static String summaryOf(CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return description.length == 0 ? "" : description[0];
    }
}
