package io.gpuvm.experiments;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.internal.chartpart.Chart;

/// Charts side by side under one heading.
///
/// @param heading heading above all charts; empty for none
/// @param columns number of charts side by side
record Figure(String heading, List<? extends Chart<?, ?>> charts, int columns) {
    private static final int HEADING_HEIGHT = 34;
    private static final int HEADING_BASELINE = 23;

    /// Writes `BASE.png` and `BASE.svg`.
    void write(Path base) {
        try {
            if (base.toAbsolutePath().getParent() != null) {
                Files.createDirectories(base.toAbsolutePath().getParent());
            }
            writePng(withEnding(base, ".png"));
            writeSvg(withEnding(base, ".svg"));
        } catch (IOException e) {
            throw new PlotException("%s cannot be written: %s".formatted(base, e), e);
        }
    }

    private void writePng(Path file) throws IOException {
        BufferedImage image = new BufferedImage(width(), height(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        paint(graphics);
        graphics.dispose();
        ImageIO.write(image, "png", file.toFile());
    }

    private void writeSvg(Path file) throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        paint(graphics);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            new SVGProcessor()
                    .getDocument(graphics.getCommands(), new PageSize(width(), height()))
                    .writeTo(out);
        }
    }

    private void paint(Graphics2D graphics) {
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width(), height());
        if (!heading.isEmpty()) {
            graphics.setColor(Color.BLACK);
            graphics.setFont(Look.heading());
            int wide = graphics.getFontMetrics().stringWidth(heading);
            graphics.drawString(heading, (width() - wide) / 2, HEADING_BASELINE);
        }
        AffineTransform origin = graphics.getTransform();
        for (int i = 0; i < charts.size(); i++) {
            Chart<?, ?> chart = charts.get(i);
            graphics.translate(
                    i % columns * chart.getWidth(), top() + i / columns * chart.getHeight());
            chart.paint(graphics, chart.getWidth(), chart.getHeight());
            graphics.setTransform(origin);
        }
    }

    private int top() {
        return heading.isEmpty() ? 0 : HEADING_HEIGHT;
    }

    private int width() {
        return Math.min(columns, charts.size()) * charts.getFirst().getWidth();
    }

    private int height() {
        int rows = (charts.size() + columns - 1) / columns;
        return top() + rows * charts.getFirst().getHeight();
    }

    private static Path withEnding(Path base, String ending) {
        return base.resolveSibling(base.getFileName() + ending);
    }
}
