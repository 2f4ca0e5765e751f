package io.gpuvm.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlotTest {
    private static final int WRONG_ARGUMENTS = 2;

    @TempDir private Path folder;
    private Path csv;
    private final StringWriter errors = new StringWriter();

    @BeforeEach
    void writeTable() throws IOException {
        csv = folder.resolve("shares.csv");
        Files.writeString(
                csv,
                """
                policy,vm,time_s,share
                fifo,short,0,0.1
                fifo,short,1,0.2
                fifo,long,0,0.9
                fifo,long,1,0.8
                fair,short,0,0.5
                fair,short,1,0.5
                fair,long,0,0.5
                fair,long,1,0.5
                """);
    }

    @Test
    void givenTwoPanels_whenDrawn_thenBothFilesHavePanelsSideBySide() throws IOException {
        Path base = folder.resolve("new/figure");

        assertEquals(0, lines(base, "--series", "vm", "--panel", "policy", "--size", "300x200"));

        BufferedImage png = ImageIO.read(folder.resolve("new/figure.png").toFile());
        assertEquals(600, png.getWidth());
        assertTrue(png.getHeight() >= 200);
        String svg = Files.readString(folder.resolve("new/figure.svg"));
        assertTrue(svg.contains("width=\"600px\""), "no width");
        // Line colours of the two series.
        assertTrue(svg.contains("rgb(0,114,178)") && svg.contains("rgb(213,94,0)"), "no lines");
    }

    @Test
    void givenBars_whenDrawn_thenEachValueHasOneBar() throws IOException {
        List<String> arguments =
                arguments("bars", folder.resolve("bars"), "--x", "policy", "--y", "share");
        arguments.addAll(List.of("--series", "vm", "--where", "time_s=0"));

        assertEquals(0, execute(arguments));

        assertTrue(Files.size(folder.resolve("bars.png")) > 0);
    }

    @Test
    void givenTwoRowsForOneBar_whenDrawn_thenErrorNamesLimit() {
        List<String> arguments =
                arguments("bars", folder.resolve("bars"), "--x", "policy", "--y", "share");

        assertEquals(WRONG_ARGUMENTS, execute(arguments));

        assertTrue(errors.toString().contains("one row per bar"), errors.toString());
    }

    @Test
    void givenUnknownColumn_whenDrawn_thenErrorNamesKnownColumns() {
        assertEquals(WRONG_ARGUMENTS, lines(folder.resolve("figure"), "--series", "colour"));

        assertTrue(
                errors.toString()
                        .contains("column=colour, expected one of [policy, vm, time_s, share]"),
                errors.toString());
    }

    @Test
    void givenTextInNumericColumn_whenDrawn_thenErrorNamesText() throws IOException {
        Files.writeString(csv, "time_s,share\n0,much\n");

        assertEquals(WRONG_ARGUMENTS, lines(folder.resolve("figure")));

        assertTrue(errors.toString().contains("share=much, expected a number"), errors.toString());
    }

    @Test
    void givenNoMatchingRows_whenFiltered_thenErrorNamesFilter() {
        assertEquals(WRONG_ARGUMENTS, lines(folder.resolve("figure"), "--where", "policy=band"));

        assertTrue(errors.toString().contains("no rows"), errors.toString());
    }

    @Test
    void givenFilesWithDifferentColumns_whenFilesAreReadTogether_thenFilesAreRefused()
            throws IOException {
        Path other = folder.resolve("other.csv");
        Files.writeString(other, "a,b\n1,2\n");

        assertEquals(WRONG_ARGUMENTS, lines(folder.resolve("figure"), "--csv", other.toString()));

        assertTrue(errors.toString().contains("columns=[a, b]"), errors.toString());
    }

    private int lines(Path base, String... more) {
        List<String> arguments = arguments("lines", base, "--x", "time_s", "--y", "share");
        arguments.addAll(List.of(more));
        return execute(arguments);
    }

    private List<String> arguments(String kind, Path base, String... more) {
        List<String> arguments = new ArrayList<>(List.of(kind, "--csv", csv.toString()));
        arguments.addAll(List.of("--out", base.toString()));
        arguments.addAll(List.of("--x-title", "time (s)", "--y-title", "share"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private int execute(List<String> arguments) {
        CommandLine commandLine = Plot.commandLine();
        commandLine.setErr(new PrintWriter(errors, true));
        return commandLine.execute(arguments.toArray(String[]::new));
    }
}
