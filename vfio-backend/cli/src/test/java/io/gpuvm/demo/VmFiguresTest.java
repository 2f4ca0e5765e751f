package io.gpuvm.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class VmFiguresTest {
    /// Width of the oldest terminals, in columns.
    private static final int TERMINAL_WIDTH = 80;

    private static final String SUMMARY =
            """
            {"vms": [
              {"name": "pv0", "messages": 0, "pv": {"commands": 70},
               "commands": {"submitted": 5, "waiting": 1, "completed": 4, "gpuTimeNs": %d,
                            "waitP50Ns": 1500, "waitP99Ns": 2000000}},
              {"name": "vm0", "messages": 900, "pv": null,
               "commands": {"submitted": 0, "waiting": 0, "completed": 0, "gpuTimeNs": %d,
                            "waitP50Ns": 0, "waitP99Ns": 0}}]}
            """;

    @Test
    void givenTwoTables_whenShareIsComputed_thenGpuTimeBetweenTablesCounts() throws Exception {
        VmFigures.Table later = table(VmFigures.Table.EMPTY, 1000, 100);
        assertEquals(0.25, table(later, 1100, 400).rows().getFirst().share());
        assertEquals(0.75, table(later, 1100, 400).rows().getLast().share());
    }

    @Test
    void givenIdleGpu_whenShareIsComputed_thenShareIsUndefined() throws Exception {
        VmFigures.Table before = table(VmFigures.Table.EMPTY, 1000, 100);
        VmFigures row = table(before, 1000, 100).rows().getFirst();

        assertTrue(Double.isNaN(row.share()));
        assertTrue(row.sentence("mmul").contains("share=-"), row.sentence("mmul"));
    }

    @Test
    void givenFvAndPvGuests_whenRead_thenRequestsAreCounted() throws Exception {
        List<VmFigures> rows = table(VmFigures.Table.EMPTY, 1, 1).rows();

        assertEquals(70, rows.getFirst().requests());
        assertEquals(900, rows.getLast().requests());
    }

    @Test
    void givenNoCommand_whenPrinted_thenWaitIsDash() throws Exception {
        String idle = table(VmFigures.Table.EMPTY, 1, 1).rows().getLast().sentence("boots");

        assertTrue(idle.contains("wait-p50=- wait-p99=-"), idle);
    }

    @Test
    void givenLongActivities_whenPrintedAsLine_thenLineFitsTerminal() throws Exception {
        VmFigures row = table(VmFigures.Table.EMPTY, Integer.MAX_VALUE, 1).rows().getFirst();

        assertTrue(VmFigures.HEADER.length() < TERMINAL_WIDTH, VmFigures.HEADER);
        assertTrue(row.line("x".repeat(100)).length() < TERMINAL_WIDTH);
    }

    private static VmFigures.Table table(VmFigures.Table before, long first, long second)
            throws JsonProcessingException {
        return before.next(new ObjectMapper().readTree(SUMMARY.formatted(first, second)));
    }
}
