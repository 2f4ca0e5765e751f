package io.gpuvm.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// Manual page of a command, rendered from picocli's model in the macros of man(7).
///
/// @param name name of the page: the words of the command, joined by hyphens
/// @param text source of the page
record ManualPage(String name, String text) {
    /// Section of the manual for programs.
    static final int SECTION = 1;

    /// Width at which picocli renders a synopsis in one line; roff breaks the lines.
    private static final int UNLIMITED = 10_000;

    /// Indentation by which a line of a footer or a description is kept as it is.
    private static final String VERBATIM = "  ";

    /// Returns the name of the file.
    String fileName() {
        return name + "." + SECTION;
    }

    /// Returns the pages of a command and of all its subcommands.
    ///
    /// @param version text at the bottom of each page
    /// @param date date of the build, for instance 2026-01-31
    static List<ManualPage> of(CommandLine command, String version, String date) {
        List<ManualPage> pages = new ArrayList<>();
        collect(command, version, date, pages);
        return pages;
    }

    private static void collect(
            CommandLine command, String version, String date, List<ManualPage> pages) {
        pages.add(new ManualPage(nameOf(command), render(command, version, date)));
        for (CommandLine sub : subcommands(command)) {
            collect(sub, version, date, pages);
        }
    }

    private static String nameOf(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    private static List<CommandLine> subcommands(CommandLine command) {
        return command.getSubcommands().values().stream().distinct().toList();
    }

    private static String render(CommandLine command, String version, String date) {
        CommandSpec spec = command.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        List<String> description = expanded(usage.description());
        String name = nameOf(command);
        Roff page = new Roff();
        page.title(name.toUpperCase(Locale.ROOT), SECTION, date, version);

        page.section("Name");
        page.line(
                Roff.text(name + " ") + "\\- " + Roff.text(withoutPeriod(description.getFirst())));

        page.section("Synopsis");
        page.paragraph(synopsis(command));

        page.section("Description");
        paragraphs(page, description);

        List<OptionSpec> options =
                spec.options().stream().filter(option -> !option.hidden()).toList();
        List<PositionalParamSpec> positionals =
                spec.positionalParameters().stream().filter(one -> !one.hidden()).toList();
        if (!positionals.isEmpty()) {
            page.section("Arguments");
            positionals.forEach(one -> page.item(Roff.italic(one.paramLabel()), texts(one)));
        }
        if (!options.isEmpty()) {
            page.section("Options");
            options.forEach(option -> page.item(label(option), texts(option)));
        }
        if (!subcommands(command).isEmpty()) {
            page.section("Commands");
            for (CommandLine sub : subcommands(command)) {
                page.item(
                        Roff.reference(nameOf(sub), SECTION),
                        expanded(sub.getCommandSpec().usageMessage().description()).getFirst());
            }
        }
        List<String> footer = expanded(usage.footer());
        if (footer.stream().anyMatch(line -> !line.isBlank())) {
            page.section("Notes");
            paragraphs(page, footer);
        }
        CommandLine parent = command.getParent();
        if (parent != null) {
            page.section("See also");
            page.line(Roff.reference(nameOf(parent), SECTION));
        }
        return page.toString();
    }

    private static String synopsis(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        int width = usage.width();
        usage.width(UNLIMITED);
        try {
            return new Help(command.getCommandSpec(), Help.defaultColorScheme(Help.Ansi.OFF))
                    .synopsis(0)
                    .strip();
        } finally {
            usage.width(width);
        }
    }

    private static String label(OptionSpec option) {
        String names =
                List.of(option.names()).stream().map(Roff::bold).collect(Collectors.joining(", "));
        return option.arity().max() == 0
                ? names
                : names
                        + Roff.text(option.command().parser().separator())
                        + Roff.italic(option.paramLabel());
    }

    private static String texts(ArgSpec argument) {
        return String.join(" ", expanded(argument.description()));
    }

    /// Renders lines as picocli does: an empty line begins a paragraph, as does each line that is
    /// not indented; indented lines are kept.
    private static void paragraphs(Roff page, List<String> lines) {
        List<String> kept = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(VERBATIM)) {
                kept.add(line.substring(VERBATIM.length()).stripTrailing());
                continue;
            }
            page.verbatim(kept);
            kept.clear();
            if (!line.isBlank()) {
                page.paragraph(line);
            }
        }
        page.verbatim(kept);
    }

    /// Replaces the conversions of picocli's texts, which are formats: `%%`, `%n`.
    private static List<String> expanded(String... formats) {
        return List.of(formats).stream()
                .flatMap(format -> format.replace("%n", "\n").replace("%%", "%").lines())
                .toList();
    }

    private static String withoutPeriod(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }
}
