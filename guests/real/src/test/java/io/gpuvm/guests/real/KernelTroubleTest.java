package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KernelTroubleTest {
    private static final String BEFORE = "[    9.1] nouveau: gr: TRAP ch 2";
    private static final String OOPS =
            "[   10.7] BUG: kernel NULL pointer dereference, address: 0000000000000040";

    @Test
    void givenOops_whenReportIsFound_thenReportBeginsWithPrecedingLine() {
        List<String> console = List.of("[    1.0] booting", BEFORE, OOPS, "[   10.8] Call Trace:");
        assertEquals(console.subList(1, 4), KernelTrouble.first(console));
    }

    @Test
    void givenSeveralReports_whenReportIsFound_thenFirstReportIsReturned() {
        List<String> console = new ArrayList<>(List.of(OOPS));
        for (int i = 0; i < 1000; i++) {
            console.add("[   31.7] INFO: task gpu-trap:133 blocked for more than 20 seconds.");
        }
        assertEquals(OOPS, KernelTrouble.first(console).getFirst());
        assertEquals(45, KernelTrouble.first(console).size());
    }

    @Test
    void givenConsoleWithoutErrors_whenReportIsFound_thenReportIsEmpty() {
        assertEquals(List.of(), KernelTrouble.first(List.of("[    1.0] booting", BEFORE)));
    }
}
