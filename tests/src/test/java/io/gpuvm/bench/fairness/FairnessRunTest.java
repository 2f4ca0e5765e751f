package io.gpuvm.bench.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.HostProcessors;
import io.gpuvm.sched.policy.TimeShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("commands")
class FairnessRunTest {
    @TempDir private Path folder;

    @Test
    void givenTwoGuests_whenSharingGpu_thenAllThreeAccountsIncludeBothGuests()
            throws InterruptedException, IOException {
        List<GuestPlan> guests =
                List.of(
                        GuestPlan.steady("short", 500, TimeShare.EQUAL),
                        GuestPlan.steady("long", 5000, TimeShare.EQUAL));
        FairnessRun run =
                FairnessRun.run(
                        new FairnessPlan(
                                guests,
                                null,
                                "compact",
                                0,
                                1,
                                null,
                                HostProcessors.ALL,
                                HostProcessors.ALL),
                        _ -> {});
        FairnessReport report = new FairnessReport(run);
        report.writeJson(folder.resolve("json"));
        report.writeCsv(folder.resolve("csv"));

        for (int vm = 0; vm < guests.size(); vm++) {
            assertTrue(run.fairness().commands(vm) > 0);
            assertTrue(run.agreement().deviceSeconds()[vm] > 0);
            assertTrue(run.agreement().chargedSeconds()[vm] > 0);
            assertTrue(run.agreement().guestSeconds()[vm] > 0);
        }
        JsonNode json = new ObjectMapper().readTree(folder.resolve("json").toFile());
        assertEquals("short", json.at("/vms/0/name").asText());
        assertTrue(json.at("/windows/500ms/jainMedian").isNumber());
        assertTrue(json.at("/agreement/secondsPct").isNumber());
        assertTrue(json.at("/gaps/queued/p50Us").isNumber());
        List<String> rows = Files.readAllLines(folder.resolve("csv"));
        assertEquals("policy,guests,vm,does,seconds,share", rows.getFirst());
        assertEquals(1 + 2 * 10, rows.size());
    }
}
