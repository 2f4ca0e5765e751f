package io.gpuvm.evaluation.report;

import java.awt.Color;
import java.awt.Paint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;

/// Bars from left to right, each composed of parts.
///
/// @param rows names of the bars from top to bottom
/// @param series parts from left to right
/// @param values values of the parts, by bar
/// @param scale linear scale of the values
record StackRows(List<String> rows, List<Series> series, List<double[]> values, Scale scale)
        implements Chart {
    private static final int ROW = 22;
    private static final int AXIS = 44;
    private static final double BAR_GAP = 0.25;
    private static final float LABEL_WIDTH = 0.6f;

    @Override
    public int points() {
        return rows.size() * series.size();
    }

    @Override
    public int height() {
        return AXIS + rows.size() * ROW;
    }

    @Override
    public JFreeChart chart(Inks inks) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        List<List<Color>> colors = new ArrayList<>();
        for (int part = 0; part < series.size(); part++) {
            List<Color> own = new ArrayList<>();
            Series each = series.get(part);
            for (int row = 0; row < rows.size(); row++) {
                double value = values.get(row)[part];
                data.addValue(value, each.name(), rows.get(row));
                String text =
                        "%s, %s: %s"
                                .formatted(
                                        each.name(), rows.get(row), scale.quantity().text(value));
                own.add(inks.of(each.ink(), text));
            }
            colors.add(own);
        }
        ValueAxis lengths =
                scale.axis(values.stream().mapToDouble(each -> DoubleStream.of(each).sum())).axis();
        CategoryAxis names = new CategoryAxis();
        names.setMaximumCategoryLabelWidthRatio(LABEL_WIDTH);
        names.setLowerMargin(0);
        names.setUpperMargin(0);
        names.setCategoryMargin(BAR_GAP);
        CategoryPlot plot = new CategoryPlot(data, names, lengths, new Colored(colors));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        ChartStyle.styleGrid(plot, inks);
        return ChartStyle.styled(plot, inks);
    }

    /// Renderer with a colour for each part of a bar.
    private static final class Colored extends StackedBarRenderer {
        private static final long serialVersionUID = 1L;

        private final transient List<List<Color>> colors;

        private Colored(List<List<Color>> colors) {
            this.colors = colors;
            setBarPainter(new StandardBarPainter());
            setShadowVisible(false);
            setDrawBarOutline(false);
        }

        @Override
        public Paint getItemPaint(int row, int item) {
            return colors.get(row).get(item);
        }
    }
}
