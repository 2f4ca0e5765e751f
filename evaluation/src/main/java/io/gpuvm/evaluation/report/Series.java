package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.util.ShapeUtils;

/// Series of a figure with its style, which is the same in all panels.
///
/// @param name name, unique in its figure
/// @param shape index of the shape of its points
/// @param isReference whether the series is a dashed line for comparison and not part of the data
record Series(String name, Ink ink, int shape, boolean isReference) {
    private static final float RADIUS = 3.2f;
    private static final float THIN = 0.9f;
    private static final float LINE = 1.6f;
    private static final float[] DASHES = {5, 3};

    private static final List<Shape> SHAPES =
            List.of(
                    new Ellipse2D.Float(-RADIUS, -RADIUS, 2 * RADIUS, 2 * RADIUS),
                    new Rectangle2D.Float(-RADIUS, -RADIUS, 2 * RADIUS, 2 * RADIUS),
                    ShapeUtils.createDiamond(RADIUS + 1),
                    ShapeUtils.createUpTriangle(RADIUS + THIN),
                    ShapeUtils.createDownTriangle(RADIUS + THIN),
                    ShapeUtils.createRegularCross(RADIUS + 1, THIN),
                    new Ellipse2D.Float(-RADIUS - 1, -RADIUS / 2, 2 * RADIUS + 2, RADIUS),
                    new Rectangle2D.Float(-RADIUS / 2, -RADIUS - 1, RADIUS, 2 * RADIUS + 2));

    /// Shape of a missing result.
    static final Shape CROSS = ShapeUtils.createDiagonalCross(RADIUS, THIN);

    /// Returns the series of a configuration.
    ///
    /// @param index index of the configuration among all
    static Series of(EvaluatedConfiguration configuration, int index) {
        return new Series(
                configuration.name(), Ink.of(configuration, index), index % SHAPES.size(), false);
    }

    /// Returns a series that is not a configuration.
    static Series numbered(String name, int index) {
        return new Series(name, Ink.numbered(index), index % SHAPES.size(), false);
    }

    /// Returns the series of a line for comparison.
    static Series reference(String name, Ink ink) {
        return new Series(name, ink, 0, true);
    }

    Shape mark() {
        return SHAPES.get(shape);
    }

    BasicStroke stroke() {
        return isReference
                ? new BasicStroke(THIN, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 1, DASHES, 0)
                : new BasicStroke(LINE, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    }
}
