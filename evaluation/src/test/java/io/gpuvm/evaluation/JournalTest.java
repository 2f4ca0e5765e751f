package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.evaluation.data.QueueDelay;
import io.gpuvm.evaluation.data.ResultGap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final QueueDelay FIRST = new QueueDelay("native", 0, 5);
    private static final QueueDelay SECOND = new QueueDelay("native", 1, 6);

    @TempDir private Path folder;

    @Test
    void givenJournal_whenResumed_thenRecordsAndHeaderAreEqual() {
        JournalHeader header = Plans.header(60, "native");
        Journal journal = Journal.create(folder, header);
        journal.add(EvaluationSection.QUEUE_DELAYS, FIRST);
        journal.add(Journal.STEPS, new StepTime("processes", 2.5));

        Journal resumed = Journal.resume(folder);
        resumed.add(EvaluationSection.QUEUE_DELAYS, SECOND);

        assertEquals(header, resumed.header());
        assertEquals(
                List.of(FIRST, SECOND),
                Journal.resume(folder).records(EvaluationSection.QUEUE_DELAYS));
        assertEquals(2.5, resumed.evaluation().seconds());
        assertEquals(List.of(FIRST, SECOND), resumed.evaluation().queueDelays());
    }

    @Test
    void givenIncompleteLine_whenResumed_thenOnlyCompleteLinesRemain() throws IOException {
        Journal journal = Journal.create(folder, Plans.header(60, "native"));
        journal.add(EvaluationSection.QUEUE_DELAYS, FIRST);
        Files.writeString(
                folder.resolve("queueDelays.jsonl"),
                "{\"configuration\":\"nat",
                StandardOpenOption.APPEND);

        Journal resumed = Journal.resume(folder);
        resumed.add(EvaluationSection.QUEUE_DELAYS, SECOND);

        assertEquals(
                List.of(FIRST, SECOND),
                Journal.resume(folder).records(EvaluationSection.QUEUE_DELAYS));
    }

    @Test
    void givenGap_whenResumed_thenGapIsRemoved() {
        Journal journal = Journal.create(folder, Plans.header(60, "native"));
        journal.add(
                EvaluationSection.GAPS, new ResultGap("samples", "native", "nw", 0, false, "died"));
        assertEquals("fail", journal.evaluation().result());

        assertEquals(List.of(), Journal.resume(folder).records(EvaluationSection.GAPS));
    }

    @Test
    void givenComplaintAboutGuest_whenResumed_thenGapRemains() {
        Journal journal = Journal.create(folder, Plans.header(60, "fv-lazy"));
        ResultGap complaint = new ResultGap("starts", "fv-lazy", null, 0, false, "kernel warning");
        journal.add(EvaluationSection.GAPS, complaint);
        journal.add(
                EvaluationSection.GAPS,
                new ResultGap("samples", "fv-lazy", "nw", 0, false, "died"));

        assertEquals(List.of(complaint), Journal.resume(folder).records(EvaluationSection.GAPS));
        assertEquals(List.of(complaint), Journal.resume(folder).records(EvaluationSection.GAPS));
    }

    @Test
    void givenOtherCommit_whenResumed_thenErrorNamesBothCommits() {
        JournalHeader header = Plans.header(60, "native");
        JournalHeader other =
                new JournalHeader(
                        "def",
                        header.dirty(),
                        header.started(),
                        header.machine(),
                        header.rounds(),
                        header.configurations(),
                        header.workloads(),
                        header.sharing(),
                        header.attempts(),
                        header.limitSeconds());

        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> header.requireSame(other));

        assertEquals("--resume: commit=def, expected=abc", e.getMessage());
        header.requireSame(Plans.header(120, "pt-mapped"));
    }

    @Test
    void givenFolderWithFiles_whenJournalIsCreated_thenFolderIsRefused() throws IOException {
        Files.createFile(folder.resolve("mine"));

        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Journal.create(folder, Plans.header(60, "native")));

        assertTrue(e.getMessage().contains("not empty"), e::getMessage);
    }

    @Test
    void givenFolderWithoutJournal_whenResumed_thenErrorNamesMissingFile() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Journal.resume(folder));

        assertTrue(e.getMessage().contains("plan.json"), e::getMessage);
    }
}
