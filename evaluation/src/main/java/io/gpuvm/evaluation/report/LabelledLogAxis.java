package io.gpuvm.evaluation.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/// Logarithmic axis with labels at chosen values. The labels are plain text; those of the
/// superclass are outlines of letters.
final class LabelledLogAxis extends LogAxis {
    private static final long serialVersionUID = 1L;

    private final transient List<Double> values;
    private final transient Quantity quantity;

    /// @param values values with a label
    LabelledLogAxis(String title, List<Double> values, Quantity quantity) {
        super(title);
        this.values = values;
        this.quantity = quantity;
    }

    @Override
    public List<NumberTick> refreshTicks(
            Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        TextAnchor anchor =
                RectangleEdge.isTopOrBottom(edge) ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
        return values.stream()
                .map(value ->
                        new NumberTick(value, quantity.text(value), anchor, TextAnchor.CENTER, 0))
                .toList();
    }
}
