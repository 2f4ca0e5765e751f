package io.gpuvm.experiments;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.internal.chartpart.Chart;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/// `gpuvm plot`: draws a figure from CSV files, as PNG and as SVG.
///
/// A file contains one row per point. Columns select the panel and the series of the point.
@Command(
        name = "gpuvm plot",
        description = "Draw a figure from CSV files, as PNG and as SVG.",
        mixinStandardHelpOptions = true,
        subcommandsRepeatable = false)
public final class Plot {
    private Plot() {}

    public static void main(String[] args) {
        System.setProperty("java.awt.headless", "true");
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Plot());
        commandLine.setExecutionExceptionHandler(Plot::onException);
        return commandLine;
    }

    private static int onException(Exception e, CommandLine command, ParseResult arguments)
            throws Exception {
        if (!(e instanceof PlotException)) {
            throw e;
        }
        PrintWriter err = command.getErr();
        err.println("gpuvm plot: " + e.getMessage());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Command(
            name = "lines",
            description = "Draw one quantity against another, with one line per series.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    void lines(
            @Mixin Options options,
            @Option(names = "--points", description = "Marks at the points.") boolean points,
            @Option(names = "--log-x", description = "Logarithmic x axis.") boolean logX,
            @Option(
                            names = "--line",
                            paramLabel = "Y=LABEL",
                            description = "Dashed reference line; repeatable. Default: none.")
                    Map<Double, String> references) {
        Lines style =
                new Lines(
                        options.axes(),
                        points,
                        logX,
                        references == null ? Map.of() : new LinkedHashMap<>(references));
        options.write((title, rows) -> style.chart(title, rows.by(options.series)));
    }

    @Command(
            name = "bars",
            description = "Draw a quantity by category, with one bar per series.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    void bars(@Mixin Options options) {
        Bars style = new Bars(options.axes());
        options.write((title, rows) -> style.chart(title, rows.by(options.series)));
    }

    /// Panel of a figure.
    private interface Panel {
        Chart<?, ?> chart(String title, Table rows);
    }

    /// Options of all figures.
    static final class Options {
        @Option(
                names = "--csv",
                required = true,
                paramLabel = "FILE",
                description = "CSV file; repeatable for files with the same columns.")
        private List<Path> files;

        @Option(
                names = "--out",
                required = true,
                paramLabel = "BASE",
                description = "Base name of the output: BASE.png and BASE.svg.")
        private Path base;

        @Option(
                names = "--x",
                required = true,
                paramLabel = "COLUMN",
                description = "Column of the x axis, or of the categories.")
        private String x;

        @Option(
                names = "--y",
                required = true,
                paramLabel = "COLUMN",
                description = "Column of the y axis.")
        private String y;

        @Option(
                names = "--series",
                split = ",",
                paramLabel = "COLUMN",
                description = "Columns whose values distinguish the series. Default: none.")
        private List<String> series = new ArrayList<>();

        @Option(
                names = "--panel",
                split = ",",
                paramLabel = "COLUMN",
                description = "Columns whose values distinguish the panels. Default: none.")
        private List<String> panels = new ArrayList<>();

        @Option(
                names = "--columns",
                paramLabel = "N",
                description =
                        "Number of panels side by side, at least 1. Default: ${DEFAULT-VALUE}.")
        private int columns = 2;

        @Option(
                names = "--where",
                paramLabel = "COLUMN=VALUE",
                description = "Filter: rows with this value; repeatable. Default: all rows.")
        private Map<String, String> where = new LinkedHashMap<>();

        @Option(
                names = "--title",
                paramLabel = "TEXT",
                description = "Title above the figure. Default: none.")
        private String title = "";

        @Option(
                names = "--x-title",
                paramLabel = "TEXT",
                required = true,
                description = "Title of the x axis, with the unit.")
        private String xTitle;

        @Option(
                names = "--y-title",
                paramLabel = "TEXT",
                required = true,
                description = "Title of the y axis, with the unit.")
        private String yTitle;

        @Option(
                names = "--y-min",
                paramLabel = "Y",
                description = "Minimum of the y axis. Default: minimum of the data.")
        private Double yMin;

        @Option(
                names = "--y-max",
                paramLabel = "Y",
                description = "Maximum of the y axis. Default: maximum of the data.")
        private Double yMax;

        @Option(names = "--log-y", description = "Logarithmic y axis.")
        private boolean logY;

        @Option(
                names = "--times",
                paramLabel = "FACTOR",
                description =
                        "Factor by which y is multiplied, for instance 100 for percent."
                                + " Default: ${DEFAULT-VALUE}.")
        private double factor = 1;

        @Option(
                names = "--size",
                paramLabel = "WIDTHxHEIGHT",
                description =
                        "Width and height of a panel in pixels, each 1 to 4000. Default: 620x400.",
                converter = SizeConverter.class)
        private Size size = new Size(620, 400);

        private Axes axes() {
            return new Axes(x, y, xTitle, yTitle, yMin, yMax, logY, factor, size);
        }

        private void write(Panel panel) {
            Table rows = Table.read(files);
            for (Map.Entry<String, String> wanted : where.entrySet()) {
                rows = rows.where(wanted.getKey(), wanted.getValue());
            }
            if (rows.rows().isEmpty()) {
                throw new PlotException("%s has no rows with %s".formatted(rows.source(), where));
            }
            List<Chart<?, ?>> charts = new ArrayList<>();
            rows.by(panels).forEach((name, own) -> charts.add(panel.chart(name, own)));
            if (columns < 1) {
                throw new PlotException("columns=%d, expected at least 1".formatted(columns));
            }
            new Figure(title, charts, columns).write(base);
        }
    }

    /// Width and height in pixels.
    record Size(int width, int height) {}

    /// Parser of a size such as `620x400`.
    static final class SizeConverter implements CommandLine.ITypeConverter<Size> {
        private static final int LIMIT = 4000;

        @Override
        public Size convert(String value) {
            String[] parts = value.split("x", 2);
            try {
                int width = Integer.parseInt(parts[0]);
                int height = Integer.parseInt(parts[parts.length - 1]);
                if (parts.length == 2
                        && Math.min(width, height) > 0
                        && Math.max(width, height) <= LIMIT) {
                    return new Size(width, height);
                }
            } catch (NumberFormatException e) {
                // The exception below contains the message.
            }
            throw new CommandLine.TypeConversionException(
                    "size=%s, expected WIDTHxHEIGHT, each 1 to %d".formatted(value, LIMIT));
        }
    }
}
