package io.gpuvm.experiments;

import java.util.Arrays;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// Line chart over numbers.
///
/// @param points whether to mark the points
/// @param logX whether the x axis is logarithmic
/// @param references titles of dashed horizontal lines, by y value
record Lines(Axes axes, boolean points, boolean logX, Map<Double, String> references) {
    /// Position of the additional point that makes the points unevenly spaced, relative to the
    /// range of x.
    private static final double UNEVEN = 0.382;

    XYChart chart(String title, Map<String, Table> series) {
        XYChart chart =
                new XYChartBuilder()
                        .width(axes.size().width())
                        .height(axes.size().height())
                        .title(title)
                        .xAxisTitle(axes.xTitle())
                        .yAxisTitle(axes.yTitle())
                        .build();
        axes.apply(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(logX);
        chart.getStyler().setChartTitleVisible(!title.isEmpty());
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (Map.Entry<String, Table> line : series.entrySet()) {
            double[] xs = line.getValue().numbers(axes.x());
            least = Math.min(least, Arrays.stream(xs).min().orElseThrow());
            most = Math.max(most, Arrays.stream(xs).max().orElseThrow());
            String name = line.getKey().isEmpty() ? axes.y() : line.getKey();
            XYSeries drawn = addUnevenly(chart, name, xs, axes.heights(line.getValue()));
            if (!points) {
                drawn.setMarker(SeriesMarkers.NONE);
            }
        }
        for (Map.Entry<Double, String> reference : references.entrySet()) {
            double height = reference.getKey();
            XYSeries drawn =
                    chart.addSeries(
                            reference.getValue(),
                            new double[] {least, most},
                            new double[] {height, height});
            drawn.setMarker(SeriesMarkers.NONE);
            drawn.setLineColor(Look.REFERENCE);
            drawn.setLineStyle(Look.dashed());
        }
        Look.placeLegend(chart.getStyler(), chart.getSeriesMap().keySet(), axes.size().width());
        return chart;
    }

    /// Adds a series with an additional point that is not drawn. With evenly spaced points, XChart
    /// prints as many axis labels as fit; with unevenly spaced points, it uses round numbers.
    private static XYSeries addUnevenly(XYChart chart, String name, double[] xs, double[] ys) {
        double[] unevenXs = Arrays.copyOf(xs, xs.length + 1);
        double[] unevenYs = Arrays.copyOf(ys, ys.length + 1);
        unevenXs[xs.length] = xs[0] + UNEVEN * (xs[xs.length - 1] - xs[0]);
        unevenYs[ys.length] = Double.NaN;
        return chart.addSeries(name, unevenXs, unevenYs);
    }
}
