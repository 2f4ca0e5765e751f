package io.gpuvm.evaluation.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Paint;
import java.awt.geom.Ellipse2D;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/// Lines of points with their spread.
///
/// @param isDense whether the curves have too many points for marks of different shapes
record Curves(List<Series> series, List<Point> all, Scale x, Scale y, boolean isDense)
        implements Chart {
    private static final int HEIGHT = 240;
    private static final float ERROR_LINE = 1.1f;
    private static final float DENSE_RADIUS = 1.4f;

    /// Point of a line.
    record Point(String series, double x, Spread y) {}

    @Override
    public int points() {
        return (int)
                all.stream()
                        .filter(point ->
                                series.stream()
                                        .anyMatch(each ->
                                                !each.isReference()
                                                        && each.name().equals(point.series())))
                        .count();
    }

    @Override
    public int height() {
        return HEIGHT;
    }

    @Override
    public JFreeChart chart(Inks inks) {
        Scale.Fitted across = x.axis(all.stream().mapToDouble(Point::x));
        Scale.Fitted up =
                y.axis(
                        all.stream()
                                .map(Point::y)
                                .flatMapToDouble(
                                        at -> DoubleStream.of(at.low(), at.median(), at.high())));
        double floor = up.floor();
        YIntervalSeriesCollection data = new YIntervalSeriesCollection();
        List<List<Color>> colors = new ArrayList<>();
        for (Series each : series) {
            YIntervalSeries line = new YIntervalSeries(each.name());
            List<Color> own = new ArrayList<>();
            for (Point point : all) {
                if (point.series().equals(each.name())) {
                    Spread at = point.y().map(value -> Math.max(value, floor));
                    line.add(point.x(), at.median(), at.low(), at.high());
                    own.add(
                            each.isReference()
                                    ? inks.of(each.ink())
                                    : inks.of(each.ink(), text(point)));
                }
            }
            data.addSeries(line);
            colors.add(own);
        }
        XYPlot plot = new XYPlot(data, across.axis(), up.axis(), renderer(colors));
        ChartStyle.styleGrid(plot, inks);
        return ChartStyle.styled(plot, inks);
    }

    private String text(Point point) {
        return "%s, %s: %s"
                .formatted(
                        point.series(), x.quantity().text(point.x()), point.y().text(y.quantity()));
    }

    private XYErrorRenderer renderer(List<List<Color>> colors) {
        XYErrorRenderer renderer = new Colored(colors);
        renderer.setDrawXError(false);
        renderer.setCapLength(0);
        renderer.setErrorStroke(new BasicStroke(ERROR_LINE));
        renderer.setDefaultLinesVisible(true);
        for (int i = 0; i < series.size(); i++) {
            Series each = series.get(i);
            renderer.setSeriesStroke(i, each.stroke());
            renderer.setSeriesShapesVisible(i, !each.isReference());
            renderer.setSeriesShape(
                    i,
                    isDense
                            ? new Ellipse2D.Float(
                                    -DENSE_RADIUS,
                                    -DENSE_RADIUS,
                                    2 * DENSE_RADIUS,
                                    2 * DENSE_RADIUS)
                            : each.mark());
        }
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
