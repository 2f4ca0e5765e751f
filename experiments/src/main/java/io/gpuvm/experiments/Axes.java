package io.gpuvm.experiments;

import org.knowm.xchart.style.AxesChartStyler;

/// Axes of a chart.
///
/// @param x column of the horizontal axis
/// @param y column of the vertical axis
/// @param xTitle title of the x axis, with its unit
/// @param yTitle title of the y axis, with its unit
/// @param yMin minimum of the y axis; null to derive it from the data
/// @param yMax maximum of the y axis; null to derive it from the data
/// @param logY whether the y axis is logarithmic
/// @param factor factor by which values of y are multiplied
/// @param size size of the chart
record Axes(
        String x,
        String y,
        String xTitle,
        String yTitle,
        Double yMin,
        Double yMax,
        boolean logY,
        double factor,
        Plot.Size size) {
    /// Returns the y values of the given rows, multiplied by the factor.
    double[] heights(Table rows) {
        double[] values = rows.numbers(y);
        for (int i = 0; i < values.length; i++) {
            values[i] *= factor;
        }
        return values;
    }

    void apply(AxesChartStyler styler) {
        Look.dress(styler);
        styler.setYAxisMin(yMin);
        styler.setYAxisMax(yMax);
        styler.setYAxisLogarithmic(logY);
    }
}
