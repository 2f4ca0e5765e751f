package io.gpuvm.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Text of a frame. Pure functions: equal arguments have equal lines.
public final class TopScreen {
    /// Width from which the table has all columns: that of the table.
    private static final int WIDE = 187;

    private static final int LEAST_COLUMNS = 40;
    private static final int ENGINE_COLUMNS = 6;
    private static final int PERCENT_COLUMNS = 5;
    private static final int HOLDER_COLUMNS = 22;
    private static final int LEAST_BAR = 10;
    private static final int MOST_BAR = 40;
    private static final int BAR_PART = 5;
    private static final double WHOLE_PERCENT = 100;

    private static final String KEYS =
            "q quit  s sort  r reverse  / filter  w weight  c cap  K kill  space stop  h help";

    private static final List<String> HELP =
            List.of(
                    "q        quit",
                    "up down  select a virtual machine",
                    "s r      next order, reverse the order",
                    "/        show only names that contain a text",
                    "w c      weight, cap of the selected virtual machine",
                    "K        stop the running commands of the selected virtual machine, with their channels",
                    "space    stop and continue the updates",
                    "h        this help");

    /// Size and abilities of the terminal.
    ///
    /// @param columns width
    /// @param rows height; 0 for no limit, and no line about keys
    /// @param isStyled whether the terminal has colors
    /// @param isUnicode whether the terminal shows block characters
    public record Size(int columns, int rows, boolean isStyled, boolean isUnicode) {}

    /// Column of the table.
    ///
    /// @param width width in characters
    /// @param isLeft whether texts begin at the left
    private record Column(String title, int width, boolean isLeft, Function<TopVm, String> text) {}

    private final List<TopBackend> backends;
    private final TopView view;
    private final Size size;
    private final List<String> lines = new ArrayList<>();

    /// Number of the line with the selected virtual machine.
    private int selectedLine;

    private TopScreen(List<TopBackend> backends, TopView view, Size size) {
        this.backends = backends;
        this.view = view;
        this.size =
                new Size(
                        Math.max(LEAST_COLUMNS, size.columns()),
                        size.rows(),
                        size.isStyled(),
                        size.isUnicode());
    }

    /// Returns the lines of a frame, each at most as wide as the terminal, apart from escape
    /// sequences.
    public static List<String> render(List<TopBackend> backends, TopView view, Size size) {
        TopScreen screen = new TopScreen(backends, view, size);
        screen.addTitle();
        int row = 0;
        for (TopBackend backend : backends) {
            row = screen.add(backend, row);
        }
        if (view.showsHelp()) {
            screen.lines.add("");
            HELP.forEach(line -> screen.lines.add(screen.cut(line)));
        }
        return size.rows() == 0 ? screen.lines : screen.fit();
    }

    /// Returns as many lines as the terminal has, with the selected virtual machine, and the prompt
    /// or the keys as the last line.
    private List<String> fit() {
        int room = Math.max(1, size.rows() - 1);
        int least = Math.max(0, selectedLine - room + 1);
        int first = Math.clamp(least, 0, Math.max(0, lines.size() - room));
        if (view.showsHelp()) {
            first = Math.max(0, lines.size() - room);
        }
        List<String> shown =
                new ArrayList<>(lines.subList(first, Math.min(lines.size(), first + room)));
        while (shown.size() < room) {
            shown.add("");
        }
        shown.add(bottom());
        return shown;
    }

    private String bottom() {
        if (view.prompt() != null) {
            boolean hasAnswer = !view.prompt().kind().isConfirmation();
            return styled(
                    Style.BOLD,
                    cut(view.prompt().question() + (hasAnswer ? view.prompt().answer() : "")));
        }
        return view.message().isEmpty()
                ? styled(Style.FAINT, cut(KEYS))
                : styled(Style.BOLD, cut(view.message()));
    }

    private void addTitle() {
        StringBuilder title = new StringBuilder("gpuvm top");
        title.append("  backends %d".formatted(backends.size()));
        title.append("  sort ").append(view.sort().label());
        title.append(view.isReversed() ? " reversed" : "");
        title.append(view.filter().isEmpty() ? "" : "  filter " + view.filter());
        title.append(view.isPaused() ? "  PAUSED" : "");
        lines.add(styled(Style.BOLD, cut(title.toString())));
    }

    private int add(TopBackend backend, int firstRow) {
        lines.add("");
        addState(backend);
        backend.engines().forEach(engine -> addEngine(backend, engine));
        List<Column> columns = size.columns() >= WIDE ? wide(backend) : narrow(backend);
        StringBuilder titles = new StringBuilder();
        columns.forEach(column -> append(titles, column, column.title));
        lines.add(styled(Style.REVERSE, pad(cut(titles.toString()), size.columns())));
        int row = firstRow;
        for (TopVm vm : view.rows(backend)) {
            StringBuilder line = new StringBuilder();
            columns.forEach(column -> append(line, column, column.text.apply(vm)));
            boolean isSelected = size.rows() > 0 && row == view.selected();
            selectedLine = isSelected ? lines.size() : selectedLine;
            lines.add(styled(isSelected ? Style.SELECTED : styleOf(vm), cut(line.toString())));
            row++;
        }
        if (backend.vms().isEmpty()) {
            lines.add("no virtual machine is attached");
        } else if (row == firstRow) {
            lines.add("no name contains " + view.filter());
        }
        return row;
    }

    private void addState(TopBackend backend) {
        String age = Figures.duration(backend.heartbeatAgeNs());
        String use =
                "GPU %s  pid %d  up %s  VRAM %s free of %s  memory %s"
                        .formatted(
                                backend.gpu(),
                                backend.pid(),
                                Figures.clock(TimeUnit.MILLISECONDS.toSeconds(backend.upMs())),
                                Figures.bytes(backend.vramFreeBytes()),
                                Figures.bytes(backend.vramBytes()),
                                Figures.bytes(backend.residentBytes()));
        switch (backend.state()) {
            case SERVING -> lines.add(cut(use));
            case HUNG -> {
                lines.add(cut(use));
                lines.add(styled(Style.ALARM, cut("HUNG: a loop has not proceeded for " + age)));
            }
            case STOPPED -> {
                lines.add(cut(use));
                lines.add(
                        styled(
                                Style.ALARM,
                                cut(
                                        "STOPPED: ended %s ago; these are its last counters"
                                                .formatted(age))));
            }
            case DEAD -> {
                lines.add(cut(use));
                lines.add(
                        styled(
                                Style.ALARM,
                                cut(
                                        "DEAD: ended without a shutdown %s ago; these are its last counters"
                                                .formatted(age))));
            }
        }
    }

    private void addEngine(TopBackend backend, TopEngine engine) {
        int bar = Math.clamp(size.columns() / BAR_PART, LEAST_BAR, MOST_BAR);
        String now =
                engine.holder() == null
                        ? "free"
                        : Figures.duration(engine.runningNs()) + " " + engine.holder();
        String used = backend.isAlive() ? Figures.percent(engine.utilization()) : "-";
        String left =
                pad(engine.name(), ENGINE_COLUMNS)
                        + " "
                        + Figures.bar(
                                backend.isAlive() ? engine.utilization() : 0, bar, size.isUnicode())
                        + right(used, PERCENT_COLUMNS)
                        + "  "
                        + pad(cut(backend.isAlive() ? now : "-", HOLDER_COLUMNS), HOLDER_COLUMNS);
        int spark =
                Math.min(
                        BackendHistory.MOST_HISTORY,
                        Math.max(0, size.columns() - left.length() - 1));
        String line = left + " " + Figures.sparkline(engine.history(), spark, size.isUnicode());
        lines.add(cut(line).stripTrailing());
    }

    private static String rate(TopBackend backend, double perSecond) {
        return backend.isAlive() ? Figures.count(perSecond) : "-";
    }

    private static String shareOf(TopBackend backend, TopVm vm) {
        return backend.isAlive() ? Figures.percent(vm.share()) : "-";
    }

    private List<Column> narrow(TopBackend backend) {
        return List.of(
                new Column("VM", 11, true, TopVm::name),
                new Column(
                        "SHARE/ENT",
                        9,
                        false,
                        vm -> shareOf(backend, vm) + "/" + Figures.percent(vm.entitlement())),
                new Column("GPU", 6, false, vm -> Figures.duration(vm.gpuTimeNs())),
                new Column("QUE", 3, false, vm -> Figures.count(vm.queue())),
                new Column("P50", 5, false, vm -> Figures.duration(vm.waitP50Ns())),
                new Column("P99", 5, false, vm -> Figures.duration(vm.waitP99Ns())),
                new Column(
                        "VRAM",
                        9,
                        false,
                        vm ->
                                Figures.bytes(vm.vramUsedBytes())
                                        + "/"
                                        + Figures.bytes(vm.vramLimitBytes())),
                new Column("TRAP/s", 6, false, vm -> rate(backend, vm.trapsPerSecond())),
                new Column("ENTR/s", 6, false, vm -> rate(backend, vm.entriesPerSecond())),
                new Column("STATE", 8, true, TopVm::state));
    }

    private List<Column> wide(TopBackend backend) {
        return List.of(
                new Column("VM", 20, true, TopVm::name),
                new Column("MODE", 11, true, TopVm::mode),
                new Column("WEIGHT", 6, false, vm -> Long.toString(vm.weight())),
                new Column("CAP", 4, false, TopScreen::cap),
                new Column("SHARE", 5, false, vm -> shareOf(backend, vm)),
                new Column("ENT", 4, false, vm -> Figures.percent(vm.entitlement())),
                new Column(
                        "SHARE HISTORY",
                        30,
                        false,
                        vm -> Figures.sparkline(vm.history(), 30, size.isUnicode())),
                new Column("GPU TIME", 8, false, vm -> Figures.duration(vm.gpuTimeNs())),
                new Column("CMD/s", 6, false, vm -> rate(backend, vm.commandsPerSecond())),
                new Column("QUEUE", 5, false, vm -> Figures.count(vm.queue())),
                new Column("WAIT P50", 8, false, vm -> Figures.duration(vm.waitP50Ns())),
                new Column("WAIT P99", 8, false, vm -> Figures.duration(vm.waitP99Ns())),
                new Column("VRAM", 5, false, vm -> Figures.bytes(vm.vramUsedBytes())),
                new Column("OF", 5, false, vm -> Figures.bytes(vm.vramLimitBytes())),
                new Column("TRAPS/s", 7, false, vm -> rate(backend, vm.trapsPerSecond())),
                new Column("ENTRIES/s", 9, false, vm -> rate(backend, vm.entriesPerSecond())),
                new Column("REFUSED/s", 9, false, vm -> rate(backend, vm.refusalsPerSecond())),
                new Column("KILLS", 5, false, vm -> Figures.count(vm.kills())),
                new Column("SESS", 4, false, vm -> Figures.count(vm.sessions())),
                new Column("STATE", 8, true, TopVm::state));
    }

    private static String cap(TopVm vm) {
        return vm.capPercent() == 0 || vm.capPercent() == WHOLE_PERCENT
                ? "none"
                : vm.capPercent() + "%";
    }

    private void append(StringBuilder line, Column column, String text) {
        String cut = cut(text, column.width);
        line.append(line.isEmpty() ? "" : " ");
        line.append(column.isLeft ? pad(cut, column.width) : right(cut, column.width));
    }

    private static Style styleOf(TopVm vm) {
        return switch (vm.state()) {
            case "running" -> Style.GOOD;
            case "waiting", "capped" -> Style.CAUTION;
            case "no guest", "-" -> Style.FAINT;
            default -> Style.PLAIN;
        };
    }

    private String styled(Style style, String text) {
        return size.isStyled() ? style.apply(text) : text.stripTrailing();
    }

    private String cut(String text) {
        return cut(text, size.columns());
    }

    private String cut(String text, int columns) {
        return text.length() <= columns
                ? text
                : text.substring(0, columns - 1) + (size.isUnicode() ? "…" : "~");
    }

    private static String pad(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - text.length()));
    }

    private static String right(String text, int columns) {
        return " ".repeat(Math.max(0, columns - text.length())) + text;
    }

    /// Looks of a line (ECMA-48, "Select Graphic Rendition").
    private enum Style {
        PLAIN(""),
        BOLD("1"),
        FAINT("2"),
        REVERSE("7"),
        SELECTED("1;7"),
        GOOD("32"),
        CAUTION("33"),
        ALARM("1;31");

        private final String code;

        Style(String code) {
            this.code = code;
        }

        String apply(String text) {
            return code.isEmpty()
                    ? text
                    : String.format(Locale.ROOT, "\u001b[%sm%s\u001b[0m", code, text);
        }
    }
}
