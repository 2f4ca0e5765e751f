package io.gpuvm.experiments;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.Arrays;
import java.util.Collection;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// Style of all figures.
final class Look {
    /// Colours that colour-blind readers can distinguish (Okabe and Ito).
    private static final Color[] COLORS = {
        new Color(0, 114, 178),
        new Color(213, 94, 0),
        new Color(0, 158, 115),
        new Color(204, 121, 167),
        new Color(230, 159, 0),
        new Color(86, 180, 233),
        new Color(0, 0, 0),
        new Color(150, 150, 50)
    };

    static final Color REFERENCE = Color.DARK_GRAY;

    private static final Color GRID = new Color(225, 225, 225);
    private static final float LINE = 1.8f;
    private static final float[] DASHES = {6, 4};
    private static final String FONT = Font.SANS_SERIF;
    private static final int TITLE_SIZE = 15;
    private static final int TEXT_SIZE = 13;
    private static final int SMALL_SIZE = 12;
    private static final int MARKER_SIZE = 7;
    private static final double CONTENT = 0.97;

    /// Width of a legend's entry without its name, in pixels.
    private static final int LEGEND_MARK = 48;

    /// Width of one letter of the name, in pixels.
    private static final int LETTER = 7;

    private Look() {}

    static void dress(AxesChartStyler styler) {
        BasicStroke[] strokes = new BasicStroke[COLORS.length];
        Arrays.fill(strokes, new BasicStroke(LINE));
        Marker[] markers = {
            SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_UP, SeriesMarkers.CROSS, SeriesMarkers.PLUS,
            SeriesMarkers.TRIANGLE_DOWN, SeriesMarkers.TRAPEZOID
        };
        styler.setSeriesColors(COLORS);
        styler.setSeriesLines(strokes);
        styler.setSeriesMarkers(markers);
        styler.setMarkerSize(MARKER_SIZE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotBorderColor(Color.GRAY);
        styler.setChartTitleFont(new Font(FONT, Font.BOLD, TITLE_SIZE));
        styler.setAxisTitleFont(new Font(FONT, Font.PLAIN, TEXT_SIZE));
        styler.setAxisTickLabelsFont(new Font(FONT, Font.PLAIN, SMALL_SIZE));
        styler.setLegendFont(new Font(FONT, Font.PLAIN, SMALL_SIZE));
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(LegendLayout.Horizontal);
        styler.setLegendBorderColor(Color.WHITE);
        // Less than 1, because otherwise the first and the last label of an axis are omitted.
        styler.setPlotContentSize(CONTENT);
        styler.setAntiAlias(true);
    }

    /// Places the legend beside the plot if it does not fit below. XChart does not wrap the legend,
    /// and draws a long legend over the adjacent panel.
    ///
    /// @param names names of the series
    static void placeLegend(AxesChartStyler styler, Collection<String> names, int width) {
        int needed = names.stream().mapToInt(name -> LEGEND_MARK + LETTER * name.length()).sum();
        if (needed > width) {
            styler.setLegendPosition(LegendPosition.OutsideE);
            styler.setLegendLayout(LegendLayout.Vertical);
        }
    }

    /// Returns the stroke of a reference line.
    static BasicStroke dashed() {
        return new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, DASHES, 0);
    }

    static Font heading() {
        return new Font(FONT, Font.BOLD, TITLE_SIZE + 2);
    }
}
