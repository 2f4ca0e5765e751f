package io.gpuvm.evaluation.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Paint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XIntervalSeries;
import org.jfree.data.xy.XIntervalSeriesCollection;

/// Rows of points with their spread: a row for each subject, and in it a point for each series.
///
/// @param rows subjects from top to bottom
/// @param series series from top to bottom in a row
/// @param scale scale of the values
/// @param reference value of a vertical line for comparison; NaN for none
/// @param isSingle whether a row has points of one series only
record DotRows(
        List<String> rows,
        List<Series> series,
        List<Dot> dots,
        List<Missing> missing,
        Scale scale,
        double reference,
        boolean isSingle)
        implements Chart {
    private static final double STEP = 7.5;
    private static final int ROW_GAP = 8;
    private static final int ROW_LEAST = 22;
    private static final int AXIS = 44;

    /// Fraction of a row's height between the centre lines of the first and the last series.
    private static final double FILLED = 0.84;

    private static final float ERROR_LINE = 1.1f;
    private static final float REFERENCE_LINE = 1.2f;

    /// Point of a series in a row.
    record Dot(String row, String series, Spread value) {}

    /// Missing result, drawn as a cross at the lower end of the axis.
    ///
    /// @param reason reason why the result is missing
    record Missing(String row, String series, Reason reason) {}

    /// Reason for a missing result.
    enum Reason {
        /// The result was not measured.
        GAP("no result", Ink.GAP),

        /// The program does not have the workload.
        ABSENT("not in C", Ink.ABSENT);

        private final String text;
        private final Ink ink;

        Reason(String text, Ink ink) {
            this.text = text;
            this.ink = ink;
        }

        String text() {
            return text;
        }

        Ink ink() {
            return ink;
        }
    }

    @Override
    public int points() {
        return dots.size();
    }

    @Override
    public int height() {
        return AXIS + rows.size() * rowHeight();
    }

    private int rowHeight() {
        return isSingle ? ROW_LEAST : Math.max(ROW_LEAST, (int) (ROW_GAP + STEP * series.size()));
    }

    @Override
    public JFreeChart chart(Inks inks) {
        Scale.Fitted fitted = scale.axis(DoubleStream.concat(numbers(), lines()));
        double floor = fitted.floor();
        XIntervalSeriesCollection data = new XIntervalSeriesCollection();
        List<List<Color>> colors = new ArrayList<>();
        for (Series each : series) {
            XIntervalSeries points = new XIntervalSeries(each.name());
            List<Color> own = new ArrayList<>();
            for (Dot dot : dots) {
                if (dot.series().equals(each.name())) {
                    Spread at = dot.value().map(value -> Math.max(value, floor));
                    points.add(at.median(), at.low(), at.high(), height(dot.row(), each));
                    own.add(inks.of(each.ink(), text(dot)));
                }
            }
            data.addSeries(points);
            colors.add(own);
        }
        addMissing(data, colors, inks, floor);
        XYPlot plot = new XYPlot(data, fitted.axis(), symbols(inks), renderer(colors));
        plot.setRangeGridlinesVisible(false);
        if (!Double.isNaN(reference)) {
            plot.addDomainMarker(
                    new ValueMarker(
                            reference, inks.of(Ink.MUTED), new BasicStroke(REFERENCE_LINE)));
        }
        ChartStyle.styleGrid(plot, inks);
        return ChartStyle.styled(plot, inks);
    }

    private DoubleStream numbers() {
        return dots.stream()
                .map(Dot::value)
                .flatMapToDouble(
                        value -> DoubleStream.of(value.low(), value.median(), value.high()));
    }

    private DoubleStream lines() {
        return DoubleStream.concat(
                DoubleStream.of(reference).filter(Double::isFinite),
                missing.stream().mapToDouble(each -> 0));
    }

    private void addMissing(
            XIntervalSeriesCollection data, List<List<Color>> colors, Inks inks, double floor) {
        XIntervalSeries crosses = new XIntervalSeries("missing");
        List<Color> own = new ArrayList<>();
        for (Missing each : missing) {
            for (Series in : series) {
                if (in.name().equals(each.series())) {
                    crosses.add(floor, floor, floor, height(each.row(), in));
                    own.add(
                            inks.of(
                                    each.reason().ink(),
                                    "%s, %s: %s"
                                            .formatted(
                                                    each.series(),
                                                    each.row(),
                                                    each.reason().text())));
                }
            }
        }
        data.addSeries(crosses);
        colors.add(own);
    }

    private double height(String row, Series of) {
        double place = isSingle ? 0 : (series.indexOf(of) + 0.5) / series.size() - 0.5;
        return rows.indexOf(row) + FILLED * place;
    }

    private String text(Dot dot) {
        return "%s, %s: %s".formatted(dot.series(), dot.row(), dot.value().text(scale.quantity()));
    }

    private SymbolAxis symbols(Inks inks) {
        SymbolAxis axis = new SymbolAxis(null, rows.toArray(String[]::new));
        axis.setInverted(true);
        axis.setRange(-0.5, rows.size() - 0.5);
        axis.setGridBandsVisible(true);
        axis.setGridBandPaint(inks.of(Ink.BAND));
        axis.setGridBandAlternatePaint(inks.of(Ink.PAPER));
        return axis;
    }

    private XYErrorRenderer renderer(List<List<Color>> colors) {
        XYErrorRenderer renderer = new Colored(colors);
        renderer.setDrawYError(false);
        renderer.setCapLength(0);
        renderer.setErrorStroke(new BasicStroke(ERROR_LINE));
        for (int i = 0; i < series.size(); i++) {
            renderer.setSeriesShape(i, series.get(i).mark());
        }
        renderer.setSeriesShape(series.size(), Series.CROSS);
        return renderer;
    }

    /// Renderer with a colour for each point.
    private static final class Colored extends XYErrorRenderer {
        private static final long serialVersionUID = 1L;

        private final transient List<List<Color>> colors;

        private Colored(List<List<Color>> colors) {
            this.colors = colors;
        }

        @Override
        public Paint getItemPaint(int row, int item) {
            return colors.get(row).get(item);
        }
    }
}
