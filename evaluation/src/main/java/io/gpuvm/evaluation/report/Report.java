package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.Evaluation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Report of an evaluation for readers: `index.html`, which contains everything, and an image of
/// each figure with data.
public final class Report {
    private static final String PAGE = "index.html";
    private static final String IMAGE = ".png";

    private Report() {}

    /// Writes the report into the folder `report`, which is created if it is missing. The result
    /// depends only on the data. If the data lacks a section, the page says so in place of the
    /// figure.
    ///
    /// @param folder folder of the evaluation
    /// @return the page
    /// @throws UncheckedIOException if a file cannot be written
    public static Path write(Path folder, Evaluation data) {
        System.setProperty("java.awt.headless", "true");
        Path report = folder.resolve("report");
        Runs runs = new Runs(data);
        List<Figure> figures = figures(runs);
        try {
            Files.createDirectories(report);
            for (Figure figure : figures) {
                Path image = report.resolve(figure.id() + IMAGE);
                if (figure.panels().isEmpty()) {
                    Files.deleteIfExists(image);
                } else {
                    new FigureImage(figure).write(image);
                }
            }
            return Files.writeString(report.resolve(PAGE), new Page(runs, figures).html());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns all figures in the order of the page.
    static List<Figure> figures(Runs runs) {
        return List.of(
                RelativeTimes.of(runs),
                Breakdown.of(runs),
                IdleTime.of(runs),
                Traps.traps(runs),
                Traps.work(runs),
                Transfers.of(runs),
                Copies.of(runs),
                ConfigurationRows.queueDelays(runs),
                Scaling.of(runs),
                Shares.of(runs),
                Memory.of(runs),
                ConfigurationRows.starts(runs));
    }
}
