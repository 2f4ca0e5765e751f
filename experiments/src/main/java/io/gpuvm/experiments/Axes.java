package io.gpuvm.experiments;

import org.knowm.xchart.style.AxesChartStyler;

/// What a chart shows over what.
///
/// @param x column of what goes to the right
/// @param y column of what goes up
/// @param xTitle says what x is, with its unit
/// @param yTitle says what y is, with its unit
/// @param yMin least value of the axis, null to choose by the data
/// @param yMax largest value of the axis, null to choose by the data
/// @param logY whether the axis is logarithmic
/// @param factor that values of y are multiplied by
/// @param size of the chart
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
    /// Values of y of some rows.
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
