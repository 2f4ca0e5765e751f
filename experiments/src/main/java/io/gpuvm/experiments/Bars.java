package io.gpuvm.experiments;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/// Bar chart over categories.
record Bars(Axes axes) {
    private static final double GAP_BETWEEN_CATEGORIES = 0.8;

    CategoryChart chart(String title, Map<String, Table> series) {
        CategoryChart chart =
                new CategoryChartBuilder()
                        .width(axes.size().width())
                        .height(axes.size().height())
                        .title(title)
                        .xAxisTitle(axes.xTitle())
                        .yAxisTitle(axes.yTitle())
                        .build();
        axes.apply(chart.getStyler());
        chart.getStyler().setAvailableSpaceFill(GAP_BETWEEN_CATEGORIES);
        chart.getStyler().setPlotGridVerticalLinesVisible(false);
        chart.getStyler().setChartTitleVisible(!title.isEmpty());
        Set<String> found = new LinkedHashSet<>();
        series.values().forEach(rows -> found.addAll(rows.text(axes.x())));
        List<String> categories = List.copyOf(found);
        series.forEach((name, rows) ->
                chart.addSeries(
                        name.isEmpty() ? axes.y() : name, categories, values(categories, rows)));
        Look.placeLegend(chart.getStyler(), chart.getSeriesMap().keySet(), axes.size().width());
        return chart;
    }

    /// Returns one value per category: the value of its row, or null if there is no row.
    private List<Double> values(List<String> categories, Table rows) {
        Double[] values = new Double[categories.size()];
        List<String> own = rows.text(axes.x());
        double[] heights = axes.heights(rows);
        for (int i = 0; i < heights.length; i++) {
            int at = categories.indexOf(own.get(i));
            if (values[at] != null) {
                throw new PlotException(
                        "%s: %s=%s, expected one row per bar"
                                .formatted(rows.source(), axes.x(), own.get(i)));
            }
            values[at] = heights[i];
        }
        return Arrays.asList(values);
    }
}
