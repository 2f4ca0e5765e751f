package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class ManualPageTest {
    @Command(
            name = "tool",
            description = {"Copy a file.", "A share of 10%% is kept\\lost."},
            subcommands = Check.class,
            sortOptions = false,
            footer = {"", "Examples:", "  tool -x a", "  .hidden"})
    static final class Tool {
        @Option(
                names = {"-s", "--size"},
                paramLabel = "SIZE",
                description = "Size in bytes. Default: 1.")
        private int size;

        @Option(names = "--secret", hidden = true)
        private boolean secret;

        @Parameters(paramLabel = "FILE", description = ".profile, for instance.")
        private String file;
    }

    @Command(name = "check", description = "Check a file.")
    static final class Check {}

    private static final String PAGE =
            """
            .TH "TOOL" 1 "2026\\-01\\-31" "tool 1"
            .nh
            .ad l
            .SH NAME
            tool \\- Copy a file
            .SH SYNOPSIS
            .PP
            tool [\\-s=SIZE] FILE [COMMAND]
            .SH DESCRIPTION
            .PP
            Copy a file.
            .PP
            A share of 10% is kept\\elost.
            .SH ARGUMENTS
            .TP
            \\fIFILE\\fR
            \\&.profile, for instance.
            .SH OPTIONS
            .TP
            \\fB\\-s\\fR, \\fB\\-\\-size\\fR=\\fISIZE\\fR
            Size in bytes. Default: 1.
            .SH COMMANDS
            .TP
            \\fBtool\\-check\\fR(1)
            Check a file.
            .SH NOTES
            .PP
            Examples:
            .PP
            .RS 4
            .nf
            tool \\-x a
            \\&.hidden
            .fi
            .RE
            """;

    @Test
    void givenCommand_whenPageIsRendered_thenItHasAllSectionsInMacrosOfMan() {
        List<ManualPage> pages = ManualPage.of(new CommandLine(new Tool()), "tool 1", "2026-01-31");

        assertEquals("tool.1", pages.getFirst().fileName());
        assertEquals(PAGE, pages.getFirst().text());
    }

    @Test
    void givenSubcommand_whenPagesAreRendered_thenItsPageRefersToParent() {
        List<ManualPage> pages = ManualPage.of(new CommandLine(new Tool()), "tool 1", "2026-01-31");

        assertEquals(List.of("tool", "tool-check"), pages.stream().map(ManualPage::name).toList());
        assertTrue(pages.getLast().text().endsWith(".SH SEE ALSO\n\\fBtool\\fR(1)\n"));
    }

    @Test
    void givenAllCommands_whenPagesAreRendered_thenEachOptionIsOnPageOfItsCommand() {
        CommandLine commands = Main.commandLine(CommandTable.installed(), () -> HelpWidth.LEAST);
        Map<String, String> pages =
                ManualPage.of(commands, Main.VERSION, "2026-01-31").stream()
                        .collect(Collectors.toMap(ManualPage::name, ManualPage::text));

        for (CommandTable.Entry entry : CommandTable.installed()) {
            String page = pages.get("gpuvm-" + entry.name());
            commands.getSubcommands().get(entry.name()).getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option ->
                            assertTrue(
                                    page.contains(Roff.bold(option.longestName())),
                                    () -> entry.name() + ": " + option.longestName()));
        }
        assertTrue(pages.containsKey("gpuvm-keys-init"));
    }
}
