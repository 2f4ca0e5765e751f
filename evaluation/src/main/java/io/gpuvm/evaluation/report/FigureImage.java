package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.report.Figure.Panel;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;

/// Image of a figure: its legend, and its main panels in two columns, in the light theme.
final class FigureImage {
    private static final int COLUMNS = 2;
    private static final int MARGIN = 12;
    private static final int TITLE = 20;
    private static final int BASELINE = 14;
    private static final double SCALE = 1.5;

    private final Figure figure;

    FigureImage(Figure figure) {
        this.figure = figure;
    }

    void write(Path file) {
        BufferedImage probe = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
        Graphics2D measuring = probe.createGraphics();
        int height = paint(measuring);
        measuring.dispose();
        BufferedImage image =
                new BufferedImage(
                        (int) (width() * SCALE),
                        (int) (height * SCALE),
                        BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Inks.LIGHT.of(Ink.PAPER));
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(SCALE, SCALE);
        paint(graphics);
        graphics.dispose();
        try {
            ImageIO.write(image, "png", file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int columns() {
        return Math.min(COLUMNS, figure.mainPanels().size());
    }

    private int width() {
        return columns() * (Drawing.PANEL_WIDTH + MARGIN) + MARGIN;
    }

    /// Paints the figure.
    ///
    /// @return height of the figure, in pixels
    private int paint(Graphics2D graphics) {
        AffineTransform origin = graphics.getTransform();
        graphics.setFont(ChartStyle.BOLD);
        graphics.setColor(Inks.LIGHT.of(Ink.TEXT));
        int y = MARGIN;
        graphics.drawString(figure.title(), MARGIN, y + BASELINE);
        y += TITLE;
        if (!figure.legend().entries().isEmpty()) {
            graphics.translate(MARGIN, y);
            y += figure.legend().draw(graphics, Inks.LIGHT, width() - 2 * MARGIN);
            graphics.setTransform(origin);
        }
        List<Panel> left = new ArrayList<>(figure.mainPanels());
        while (!left.isEmpty()) {
            List<Panel> row = left.subList(0, Math.min(columns(), left.size()));
            int highest = 0;
            for (int i = 0; i < row.size(); i++) {
                Panel panel = row.get(i);
                graphics.translate(MARGIN + i * (Drawing.PANEL_WIDTH + MARGIN), y);
                graphics.setFont(ChartStyle.FONT);
                graphics.setColor(Inks.LIGHT.of(Ink.TEXT));
                graphics.drawString(panel.title(), 0, BASELINE);
                graphics.translate(0, TITLE);
                panel.chart().draw(graphics, Inks.LIGHT);
                graphics.setTransform(origin);
                highest = Math.max(highest, panel.chart().height());
            }
            y += TITLE + highest + MARGIN;
            row.clear();
        }
        return y;
    }
}
