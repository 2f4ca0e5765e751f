package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.evaluation.data.ShareSeries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicySharesTest {
    @Test
    void givenRowsOf100Ms_whenConverted_thenValuesAreMeansOver500Ms() throws IOException {
        List<String> rows = new ArrayList<>(List.of("policy,guests,vm,does,seconds,share"));
        for (int i = 0; i < 11; i++) {
            rows.add("fair,2,vm0,x,%d,%s".formatted(i, i < 5 ? "0.25" : "0.5"));
            rows.add("fair,2,vm1,x,%d,0.5".formatted(i));
        }

        List<ShareSeries> series =
                PolicyShares.series(
                        "fair",
                        rows,
                        new ObjectMapper()
                                .readTree(
                                        """
                                        {"vms": [
                                          {"name": "vm0", "lengthUs": 500, "entitledShare": 0.5},
                                          {"name": "vm1", "lengthUs": 20000,
                                           "entitledShare": 0.5}]}
                                        """));

        assertEquals(
                List.of(
                        new ShareSeries("fair", "vm0", 500, 0.5, 500, List.of(0.25, 0.5)),
                        new ShareSeries("fair", "vm1", 20_000, 0.5, 500, List.of(0.5, 0.5))),
                series);
    }
}
