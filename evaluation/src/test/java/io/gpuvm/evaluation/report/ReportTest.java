package io.gpuvm.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.evaluation.data.CopySample;
import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.EvaluationJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReportTest {
    private static final long LIMIT = 2 << 20;
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
    private static final Pattern POINT = Pattern.compile(" data-point=\"");
    private static final Pattern REQUEST =
            Pattern.compile("<script|<img|<iframe|src=|@import|url\\((?!#)|href=\"(?!#|data:,)");

    @TempDir private Path folder;

    @Test
    void givenFullData_whenReportIsWritten_thenPageHasAllPointsOfEachFigure() throws IOException {
        Evaluation data = Fixture.full(1);
        String html = Files.readString(Report.write(folder, data));
        List<Figure> figures = Report.figures(new Runs(data));
        for (Figure figure : figures) {
            assertTrue(figure.points() > 0, figure.id());
            assertFalse(figure.remarks().finding().isBlank(), figure.id());
            assertEquals(figure.points(), count(POINT, section(html, figure.id())), figure.id());
            assertTrue(Files.size(folder.resolve("report/" + figure.id() + ".png")) > 0);
        }
        assertTrue(size(folder) < LIMIT, "bytes=%d, limit=%d".formatted(size(folder), LIMIT));
    }

    @Test
    void givenData_whenReportIsWritten_thenPageIsSelfContained() throws IOException {
        String html = Files.readString(Report.write(folder, Fixture.small(2)));
        List<String> ids = ID.matcher(html).results().map(found -> found.group(1)).toList();
        assertEquals(ids.size(), new HashSet<>(ids).size());
        assertEquals(List.of(), REQUEST.matcher(html).results().map(MatchResult::group).toList());
    }

    @Test
    void givenGapsAndInvalidSamples_whenReportIsWritten_thenPageListsGapsAndSamples()
            throws IOException {
        String html = Files.readString(Report.write(folder, Fixture.small(3)));
        assertTrue(section(html, "gaps").contains("guest died: timeout: seconds=300"));
        assertTrue(section(html, "gaps").contains("&lt;b&gt;plan&lt;/b&gt;"));
        assertTrue(section(html, "invalid").contains("GPU threads had 91 % of their processor"));
        assertTrue(section(html, "relative-times").contains("data-gap=\""));
    }

    @Test
    void givenProgramsInC_whenReportIsWritten_thenWorkloadsThatTheyLackAreAbsentAndNoGap()
            throws IOException {
        Evaluation data = Fixture.small(9);

        String html = Files.readString(Report.write(folder, data));

        String times = section(html, "relative-times");
        assertTrue(times.contains("cuda-process, loop: not in C"));
        assertTrue(times.contains("fv-naive, nw: no result"));
        assertFalse(times.contains("cuda-process, mmul: not in C"));
        assertFalse(times.contains("cuda-process, loop: no result"));
        assertTrue(times.contains("(5 of 18 workloads)"));
        assertFalse(section(html, "gaps").contains("cuda"));
        assertTrue(section(html, "breakdown").contains("sum of 17 workloads"));
    }

    @Test
    void givenDataWithoutAbsentWorkloads_whenRead_thenProgramsHaveAllWorkloads() {
        ObjectNode tree =
                EvaluationJson.parse(EvaluationJson.line(Fixture.small(10)), ObjectNode.class);
        tree.path("configurations").forEach(each -> ((ObjectNode) each).remove("absent"));

        Evaluation data = EvaluationJson.parse(tree.toString(), Evaluation.class);

        data.configurations().forEach(each -> assertEquals(List.of(), each.absent()));
    }

    @ParameterizedTest
    @CsvSource({
        "samples,relative-times",
        "samples,breakdown",
        "samples,idle-time",
        "samples,traps",
        "samples,shadowing",
        "transfers,transfers",
        "copies,copies",
        "queueDelays,queue-delay",
        "scaling,scaling",
        "shares,shares",
        "memory,memory",
        "starts,start-up"
    })
    void givenMissingSection_whenFiguresAreCreated_thenOnlyFiguresOfSectionAreEmpty(
            String section, String figure) {
        List<Figure> figures = Report.figures(new Runs(without(Fixture.small(4), section)));
        List<String> ofSamples =
                List.of("relative-times", "breakdown", "idle-time", "traps", "shadowing");
        for (Figure each : figures) {
            boolean isEmpty =
                    section.equals("samples")
                            ? ofSamples.contains(each.id())
                            : each.id().equals(figure);
            assertEquals(isEmpty, each.panels().isEmpty(), each.id());
        }
    }

    @Test
    void givenNoResults_whenReportIsWritten_thenPageStatesAbsence() throws IOException {
        Evaluation data = Fixture.small(5);
        for (String section :
                List.of(
                        "samples",
                        "transfers",
                        "copies",
                        "queueDelays",
                        "scaling",
                        "shares",
                        "memory",
                        "starts",
                        "gaps",
                        "configurations",
                        "workloads")) {
            data = without(data, section);
        }
        String html = Files.readString(Report.write(folder, data));
        assertEquals(
                Report.figures(new Runs(data)).size(),
                count(Pattern.compile("class=\"absent\""), html));
        assertEquals(3, count(Pattern.compile(">not measured<"), html));
    }

    @Test
    void givenUnknownCounters_whenFiguresAreCreated_thenLegendOmitsCounters() {
        List<String> names =
                Traps.work(new Runs(Fixture.small(6))).legend().entries().stream()
                        .map(Legend.Entry::name)
                        .toList();
        assertEquals(
                List.of("doorbells", "flushes", "ring entries", "time of shadowing", "shadowings"),
                names);
    }

    @Test
    void givenDifferentRounds_whenRatioIsComputed_thenOnlyCommonRoundsCount() {
        Spread ratio =
                Runs.ratio(Map.of(0, 30.0, 1, 20.0, 2, 99.0), Map.of(0, 10.0, 1, 10.0, 3, 1.0))
                        .orElseThrow();
        assertEquals(2.5, ratio.median());
        assertEquals(2, ratio.count());
        assertTrue(Runs.ratio(Map.of(0, 1.0), Map.of(1, 1.0)).isEmpty());
    }

    @Test
    void givenSeveralCopiesInRound_whenGoalIsComputed_thenMedianOfRoundCounts() {
        List<CopySample> copies = new ArrayList<>();
        for (long ns : new long[] {100, 110, 120, 90, 900}) {
            copies.add(new CopySample("fv-optimized", "in", 64 << 20, 0, ns));
            copies.add(new CopySample("pt-mapped", "in", 64 << 20, 0, 100));
        }
        ObjectNode tree =
                EvaluationJson.parse(EvaluationJson.line(Fixture.small(7)), ObjectNode.class);
        tree.set("copies", new ObjectMapper().valueToTree(copies));
        Evaluation data = EvaluationJson.parse(tree.toString(), Evaluation.class);

        Goal copy = Goal.of(new Runs(data)).get(1);

        assertEquals(1.1, copy.ratio().median(), 1e-9);
        assertEquals("met", copy.state());
    }

    @Test
    void givenSeparateProcessors_whenReportIsWritten_thenRemarksNamePinning() throws IOException {
        String html = Files.readString(Report.write(folder, Fixture.small(8)));
        for (String figure : List.of("idle-time", "scaling")) {
            assertTrue(
                    section(html, figure).contains("guest on processor 0, backend on processor 1"),
                    figure);
        }
    }

    @ParameterizedTest
    @CsvSource({"1.10,met", "1.11,missed"})
    void givenRatio_whenComparedWithLimit_thenStateIsMetOrMissed(double ratio, String state) {
        assertEquals(state, new Goal("goal", 1.10, Spread.exactly(ratio), "basis").state());
        assertEquals("not measured", new Goal("goal", 1.10, null, "basis").state());
    }

    @ParameterizedTest
    @CsvSource({
        "DURATION,999.96,1 us",
        "DURATION,1234567,1.23 ms",
        "DURATION,0,0 ns",
        "BYTES,67108864,64 MiB",
        "RATIO,1.104,1.1",
        "PERCENT,0.0081,0.81 %",
        "NUMBER,0.00123,0.0012",
        "NUMBER,-250000,-250 k"
    })
    void givenNumber_whenFormatted_thenTextHasAtMostThreeSignificantDigits(
            Quantity quantity, double value, String text) {
        assertEquals(text, quantity.text(value).replace('\u00a0', ' '));
    }

    private static Evaluation without(Evaluation data, String section) {
        ObjectNode tree = EvaluationJson.parse(EvaluationJson.line(data), ObjectNode.class);
        tree.putArray(section);
        return EvaluationJson.parse(tree.toString(), Evaluation.class);
    }

    private static String section(String html, String id) {
        int start = html.indexOf("<section id=\"" + id + "\"");
        return html.substring(start, html.indexOf("</section>", start));
    }

    private static long count(Pattern pattern, String text) {
        return pattern.matcher(text).results().count();
    }

    private static long size(Path folder) throws IOException {
        List<Long> sizes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile).forEach(file -> sizes.add(length(file)));
        }
        return sizes.stream().mapToLong(Long::longValue).sum();
    }

    private static long length(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
