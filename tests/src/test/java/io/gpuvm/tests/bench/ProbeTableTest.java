package io.gpuvm.tests.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.realguest.PreparedGuests;
import io.gpuvm.tests.realguest.ProgressPrinter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A real driver's start, its page tables followed in each way.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ProbeTableTest {
    /// How many times fewer entries must be read than naively.
    private static final long FEWER = 20;

    @Test
    void givenNouveau_whenItProbes_thenIncrementalReadsATwentiethOfWhatNaiveDoes()
            throws InterruptedException {
        List<ProbeCost> costs =
                ProbeTable.measure(
                        "6.12",
                        "probe",
                        PreparedGuests.orSkip("6.12"),
                        new ProgressPrinter(System.err, false));
        System.err.println(new CostTable(costs));
        ProbeCost naive = costs.getFirst();
        ProbeCost lazy = costs.get(1);
        ProbeCost incremental = costs.getLast();

        long read = incremental.shadowing("entriesRead");
        assertTrue(read > 0);
        assertTrue(FEWER * read <= naive.shadowing("entriesRead"), () -> costs.toString());
        assertTrue(lazy.shadowing("shadowings") <= naive.shadowing("shadowings"), costs::toString);
        for (ProbeCost cost : costs) {
            assertEquals(naive.shadowing("flushes"), cost.shadowing("flushes"), costs::toString);
            assertEquals(0, cost.shadowing("entriesRefused"), costs::toString);
        }
    }
}
