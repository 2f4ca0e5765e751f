package io.gpuvm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.guests.real.GuestEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CostTableTest {
    @Test
    void givenTwoGuests_whenPrinted_thenFiguresAreSideBySideAndZeroRowsAreOmitted()
            throws JsonProcessingException {
        CostTable table =
                new CostTable(List.of(cost("naive", 1234567, 2.5), cost("incremental", 12, 0.25)));

        assertEquals(
                """
                shadow              naive  incremental
                traps           1,234,567           12
                BAR3 writes     1,234,567           12
                flushes                36           36
                updates                31           31
                secondsToProbe       2.50         0.25
                secondsOnCard        1.25         0.13\
                """,
                table.toString());
    }

    private static ProbeCost cost(String shadow, long writes, double seconds)
            throws JsonProcessingException {
        JsonNode traps =
                GuestEvent.JSON.readTree(
                        "{\"BAR3\":{\"reads\":0,\"writes\":%d}}".formatted(writes));
        JsonNode shadowing = GuestEvent.JSON.readTree("{\"flushes\":36,\"tablesRefused\":0}");
        JsonNode mapping = GuestEvent.JSON.readTree("{\"updates\":31,\"doubleMappings\":0}");
        return new ProbeCost(
                Map.of("shadow", shadow), traps, shadowing, mapping, seconds, seconds / 2);
    }
}
