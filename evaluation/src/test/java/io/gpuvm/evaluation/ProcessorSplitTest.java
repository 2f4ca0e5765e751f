package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorSplitTest {
    @Test
    void givenTwoProcessors_whenSplit_thenGuestAndBackendHaveOneEach() {
        ProcessorSplit split = ProcessorSplit.of(List.of(0, 1));

        assertEquals(List.of(0), split.guests());
        assertEquals(List.of(1), split.backends());
        assertEquals("guest on processor 0, backend on processor 1", split.described());
    }

    @Test
    void givenFiveProcessors_whenSplit_thenBackendHasOneMore() {
        ProcessorSplit split = ProcessorSplit.of(HostFacts.processors("0-2,5,7"));

        assertEquals(List.of(0, 1), split.guests());
        assertEquals(List.of(2, 5, 7), split.backends());
    }

    @Test
    void givenOneProcessor_whenSplit_thenBothShareIt() {
        assertEquals(new ProcessorSplit(List.of(3), List.of(3)), ProcessorSplit.of(List.of(3)));
    }
}
