package io.gpuvm.evaluation.report;

import java.awt.BasicStroke;
import java.awt.Font;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.ui.RectangleInsets;

/// Style of all charts.
final class ChartStyle {
    /// Font with the character widths of browsers' usual sans-serif fonts, which the page names.
    /// Java substitutes its own font if this font is missing.
    private static final String FAMILY = "Liberation Sans";

    private static final int SIZE = 12;
    private static final float GRID = 0.7f;

    static final Font FONT = new Font(FAMILY, Font.PLAIN, SIZE);
    static final Font BOLD = new Font(FAMILY, Font.BOLD, SIZE + 1);

    /// Padding in pixels; at the right, half of the last label of the axis.
    private static final RectangleInsets PADDING = new RectangleInsets(2, 2, 2, 26);

    private static final RectangleInsets NONE = new RectangleInsets(0, 0, 0, 0);

    static {
        // The workaround draws outlines of letters instead of text.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
    }

    private ChartStyle() {}

    /// Returns a chart of a plot in this style.
    static JFreeChart styled(Plot plot, Inks inks) {
        JFreeChart chart = new JFreeChart(null, FONT, plot, false);
        chart.setBackgroundPaint(inks.of(Ink.PAPER));
        chart.setPadding(PADDING);
        plot.setBackgroundPaint(inks.of(Ink.PAPER));
        plot.setOutlinePaint(inks.of(Ink.GRID));
        plot.setInsets(NONE);
        return chart;
    }

    static void styleGrid(XYPlot plot, Inks inks) {
        plot.setDomainGridlinePaint(inks.of(Ink.GRID));
        plot.setRangeGridlinePaint(inks.of(Ink.GRID));
        plot.setDomainGridlineStroke(new BasicStroke(GRID));
        plot.setRangeGridlineStroke(new BasicStroke(GRID));
        plot.setAxisOffset(NONE);
        style(plot.getDomainAxis(), inks);
        style(plot.getRangeAxis(), inks);
    }

    static void styleGrid(CategoryPlot plot, Inks inks) {
        plot.setRangeGridlinePaint(inks.of(Ink.GRID));
        plot.setRangeGridlineStroke(new BasicStroke(GRID));
        plot.setAxisOffset(NONE);
        style(plot.getDomainAxis(), inks);
        style(plot.getRangeAxis(), inks);
    }

    private static void style(Axis axis, Inks inks) {
        axis.setLabelFont(FONT);
        axis.setTickLabelFont(FONT);
        axis.setLabelPaint(inks.of(Ink.MUTED));
        axis.setTickLabelPaint(inks.of(Ink.TEXT));
        axis.setAxisLinePaint(inks.of(Ink.GRID));
        axis.setTickMarkPaint(inks.of(Ink.GRID));
    }
}
