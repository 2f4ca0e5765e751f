package io.gpuvm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.PreparedGuests;
import io.gpuvm.guests.real.ProgressPrinter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of a real driver's start: with mappings and strategies of the GPUvm paper (USENIX ATC 2014,
/// section 5), and with this project's page-table tracking, without mappings and with all mappings.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ProbeTableTest {
    /// Minimum ratio of the number of entries read with naive shadowing to the number read with
    /// tracking.
    private static final long FEWER = 20;

    /// Maximum number of traps in a start with all mappings; nearly all traps are register
    /// accesses.
    private static final long TRAP_LIMIT = 12_000;

    @Test
    void givenNouveau_whenDriverStarts_thenOptimizationsReduceTrapsAndEntryReads()
            throws InterruptedException {
        List<ProbeCost> costs =
                ProbeTable.measure(
                        "6.12",
                        "probe",
                        List.of(
                                ProbeTable.configuration("none", "naive"),
                                ProbeTable.configuration("bar3", "naive"),
                                ProbeTable.configuration("none", "lazy"),
                                ProbeTable.configuration("none", "incremental"),
                                ProbeTable.configuration("all", "incremental")),
                        PreparedGuests.orSkip("6.12"),
                        new ProgressPrinter(System.err, false));
        System.err.println(new CostTable(costs));
        ProbeCost naive = costs.getFirst();
        ProbeCost barRemap = costs.get(1);
        ProbeCost lazy = costs.get(2);
        ProbeCost incremental = costs.get(3);
        ProbeCost optimized = costs.getLast();

        assertTrue(lazy.shadowing("shadowings") < naive.shadowing("shadowings"), costs::toString);
        assertTrue(barRemap.trapCount() < naive.trapCount() / 10, costs::toString);
        long read = incremental.shadowing("entriesRead");
        assertTrue(read > 0);
        assertTrue(FEWER * read <= naive.shadowing("entriesRead"), costs::toString);
        assertTrue(optimized.trapCount() <= TRAP_LIMIT, costs::toString);
        assertTrue(
                FEWER * optimized.shadowing("entriesRead") <= naive.shadowing("entriesRead"),
                costs::toString);
        for (ProbeCost cost : costs) {
            assertEquals(naive.shadowing("flushes"), cost.shadowing("flushes"), costs::toString);
            assertEquals(0, cost.shadowing("entriesRefused"), costs::toString);
        }
    }
}
