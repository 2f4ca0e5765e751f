package io.gpuvm.evaluation.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.JFreeChart;

/// Chart of a panel.
interface Chart extends Drawing {
    /// Returns the number of data points, which does not include gaps and lines for comparison.
    int points();

    JFreeChart chart(Inks inks);

    @Override
    default int width() {
        return PANEL_WIDTH;
    }

    @Override
    default void draw(Graphics2D graphics, Inks inks) {
        chart(inks).draw(graphics, new Rectangle2D.Double(0, 0, width(), height()));
    }
}
