package io.gpuvm.evaluation.report;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.block.LengthConstraintType;
import org.jfree.chart.block.RectangleConstraint;
import org.jfree.chart.title.LegendGraphic;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.Size2D;

/// Legend of a figure's panels.
record Legend(List<Entry> entries) {
    private static final Shape LINE = new Line2D.Float(-10, 0, 10, 0);
    private static final Shape BAR = new Rectangle2D.Float(-6, -6, 12, 12);

    /// Entry of the legend.
    record Entry(String name, Ink ink, Form form, Series series) {}

    /// Form of the marks of a series.
    enum Form {
        DOT,
        CURVE,
        BAR,
        GAP
    }

    /// Returns the legend of the given series.
    static Legend of(Form form, List<Series> series) {
        return new Legend(
                series.stream()
                        .map(each -> new Entry(each.name(), each.ink(), form, each))
                        .toList());
    }

    /// Returns the drawing of an entry, without its name.
    static Drawing swatch(Entry entry) {
        return new Swatch(entry);
    }

    /// Draws all entries with their names, in rows of limited width.
    ///
    /// @return height of the legend, in pixels
    int draw(Graphics2D graphics, Inks inks, int width) {
        LegendItemCollection items = new LegendItemCollection();
        entries.forEach(entry -> items.add(item(entry, inks.of(entry.ink()))));
        LegendTitle title = new LegendTitle(() -> items);
        title.setItemFont(ChartStyle.FONT);
        title.setItemPaint(inks.of(Ink.TEXT));
        title.setBackgroundPaint(inks.of(Ink.PAPER));
        title.setFrame(BlockBorder.NONE);
        Size2D size =
                title.arrange(
                        graphics,
                        new RectangleConstraint(
                                width,
                                null,
                                LengthConstraintType.FIXED,
                                0,
                                null,
                                LengthConstraintType.NONE));
        title.draw(graphics, new Rectangle2D.Double(0, 0, width, size.height));
        return (int) Math.ceil(size.height);
    }

    private static LegendItem item(Entry entry, Color color) {
        Series series = entry.series();
        boolean isCurve = entry.form() == Form.CURVE;
        return new LegendItem(
                entry.name(),
                null,
                null,
                null,
                !(isCurve && series.isReference()),
                shape(entry),
                true,
                color,
                false,
                color,
                series.stroke(),
                isCurve,
                LINE,
                series.stroke(),
                color);
    }

    private static Shape shape(Entry entry) {
        return switch (entry.form()) {
            case DOT, CURVE -> entry.series().mark();
            case BAR -> BAR;
            case GAP -> Series.CROSS;
        };
    }

    /// Drawing of an entry without its name.
    private record Swatch(Entry entry) implements Drawing {
        private static final int WIDTH = 24;
        private static final int HEIGHT = 14;

        @Override
        public int width() {
            return WIDTH;
        }

        @Override
        public int height() {
            return HEIGHT;
        }

        @Override
        public void draw(Graphics2D graphics, Inks inks) {
            Color color = inks.of(entry.ink());
            Series series = entry.series();
            boolean isCurve = entry.form() == Form.CURVE;
            LegendGraphic graphic = new LegendGraphic(shape(entry), color);
            graphic.setFillPaint(color);
            graphic.setShapeFilled(true);
            graphic.setShapeVisible(!(isCurve && series.isReference()));
            graphic.setShapeAnchor(RectangleAnchor.CENTER);
            graphic.setShapeLocation(RectangleAnchor.CENTER);
            graphic.setLineVisible(isCurve);
            graphic.setLine(LINE);
            graphic.setLinePaint(color);
            graphic.setLineStroke(series.stroke());
            graphic.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        }
    }
}
