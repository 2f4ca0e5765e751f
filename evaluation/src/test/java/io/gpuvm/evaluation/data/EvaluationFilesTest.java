package io.gpuvm.evaluation.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.evaluation.data.EvaluatedWorkload.WorkAmount;
import io.gpuvm.evaluation.data.WorkloadSample.GpuTimes;
import io.gpuvm.evaluation.data.WorkloadSample.PhaseTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationFilesTest {
    @TempDir private Path folder;

    @Test
    void givenEvaluation_whenWrittenAndRead_thenEvaluationsAreEqual() {
        Path file = folder.resolve("evaluation.json");
        Evaluation evaluation = evaluation(List.of());

        EvaluationJson.write(file, evaluation);

        assertEquals(evaluation, EvaluationJson.read(file));
        assertFalse(Files.exists(folder.resolve("evaluation.json.part")));
    }

    @Test
    void givenUnknownVersion_whenRead_thenFileIsRefused() throws IOException {
        Path file = folder.resolve("evaluation.json");
        EvaluationJson.write(file, evaluation(List.of()));
        String text = Files.readString(file).replace("\"version\" : 1", "\"version\" : 2");
        Files.writeString(file, text);

        UncheckedIOException e =
                assertThrows(UncheckedIOException.class, () -> EvaluationJson.read(file));

        assertTrue(e.getMessage().contains("version=2, expected=1"), e.getMessage());
    }

    @Test
    void givenUnknownKey_whenRead_thenKeyIsIgnored() throws IOException {
        Path file = folder.resolve("evaluation.json");
        Evaluation evaluation = evaluation(List.of());
        EvaluationJson.write(file, evaluation);
        Files.writeString(file, Files.readString(file).replaceFirst("\\{", "{\"later\" : 7,"));

        assertEquals(evaluation, EvaluationJson.read(file));
    }

    @Test
    void givenNoGap_whenResultIsDerived_thenResultIsPass() {
        assertEquals("pass", evaluation(List.of()).result());
    }

    @Test
    void givenFailedAndSkippedResults_whenResultIsDerived_thenResultIsPartialWithCounts() {
        Evaluation evaluation =
                evaluation(
                        List.of(
                                new ResultGap("samples", "fv-lazy", "nw", 0, false, "died"),
                                new ResultGap("scaling", "fv-lazy", null, 0, true, "budget")));

        assertEquals("partial", evaluation.result());
        assertEquals(1, evaluation.failed());
        assertEquals(1, evaluation.skipped());
    }

    @Test
    void givenSections_whenCsvIsWritten_thenEachSectionWithRecordsHasFile() throws IOException {
        EvaluationCsv.write(
                folder,
                evaluation(
                        List.of(
                                new ResultGap(
                                        "samples", "fv-lazy", null, 2, false, "a \"b\", c"))));

        assertEquals(
                List.of(
                        "configuration,workload,round,attempt,valid,reason,phasesNs.initialize,"
                                + "phasesNs.copyIn,phasesNs.launch,phasesNs.copyOut,phasesNs.close,"
                                + "phasesNs.total,gpu.busyNs,gpu.cpuNs,gpu.launchBusyNs,"
                                + "counts.doorbells,phaseCounts.launch.doorbells",
                        "native,mmul,0,0,true,,1,2,3,4,5,15,9,8,7,6,6"),
                Files.readAllLines(folder.resolve("samples.csv")));
        assertEquals(
                List.of(
                        "section,configuration,workload,round,skipped,reason",
                        "samples,fv-lazy,,2,false,\"a \"\"b\"\", c\""),
                Files.readAllLines(folder.resolve("gaps.csv")));
        assertFalse(Files.exists(folder.resolve("memory.csv")));
    }

    @Test
    void givenRecordWithList_whenCsvIsWritten_thenEachElementHasRow() {
        List<String> lines =
                EvaluationCsv.lines(
                        List.of(new ScalingSample("pv-process", 2, 0, "mmul", List.of(5L, 6L))));

        assertEquals(
                List.of(
                        "configuration,guests,round,workload,guestNs.index,guestNs",
                        "pv-process,2,0,mmul,0,5",
                        "pv-process,2,0,mmul,1,6"),
                lines);
    }

    @Test
    void givenRecordOfEachSection_whenConvertedToLineAndBack_thenRecordsAreEqual() {
        Evaluation evaluation = evaluation(List.of());
        for (EvaluationSection<?> section : EvaluationSection.ALL) {
            for (Object each : section.records().apply(evaluation)) {
                String line = EvaluationJson.line(each);
                assertFalse(line.contains("\n"));
                assertEquals(each, EvaluationJson.parse(line, section.type()));
            }
        }
    }

    private static Evaluation evaluation(List<ResultGap> gaps) {
        return new Evaluation(
                Evaluation.VERSION,
                "abc",
                false,
                "2026-01-01T00:00:00Z",
                12.5,
                new EvaluationHost(2, "model", 1L << 30, "6.1", "tcg", "guest on 0, backend on 1"),
                new EvaluationRounds(true, 1, 1, 1),
                List.of(
                        new EvaluatedConfiguration(
                                "native",
                                "Native process",
                                EvaluatedConfiguration.PROCESS,
                                "native",
                                "A process with a private GPU.",
                                List.of("loop"))),
                List.of(
                        new EvaluatedWorkload(
                                "mmul", 64, "rows and columns", new WorkAmount(1, 2, 3, 4, "op"))),
                List.of(
                        new WorkloadSample(
                                "native",
                                "mmul",
                                0,
                                0,
                                true,
                                null,
                                PhaseTimes.of(1, 2, 3, 4, 5),
                                new GpuTimes(9, 8, 7),
                                Map.of("doorbells", 6L),
                                Map.of("launch", Map.of("doorbells", 6L)))),
                List.of(new GuestStart("native", 0, 1, 0, 2, Map.of())),
                gaps,
                List.of(new TransferSample("native", 30, 4096, 0, 5, 2)),
                List.of(new CopySample("native", CopySample.IN, 4096, 0, 5)),
                List.of(new QueueDelay("native", 0, 5)),
                List.of(new ScalingSample("pv-process", 2, 0, "mmul", List.of(5L, 6L))),
                List.of(new ShareSeries("fair", "a", 500, 0.5, 500, List.of(0.4, 0.6))),
                List.of());
    }
}
