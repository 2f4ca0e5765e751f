package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorSplitTest {
    @Test
    void givenTwoProcessors_whenSplit_thenGuestAndBackendHaveOneProcessorEach() {
        ProcessorSplit split = ProcessorSplit.of(List.of(0, 1));

        assertEquals(HostProcessors.of(0), split.guests());
        assertEquals(HostProcessors.of(1), split.backends());
        assertEquals(HostProcessors.of(0, 1), split.all());
        assertEquals("guest on processor 0, backend on processor 1", split.described());
    }

    @Test
    void givenFiveProcessors_whenSplit_thenBackendHasThreeProcessors() {
        ProcessorSplit split = ProcessorSplit.of(HostProcessors.parse("0-2,5,7").numbers());

        assertEquals(HostProcessors.of(0, 1), split.guests());
        assertEquals(HostProcessors.of(2, 5, 7), split.backends());
    }

    @Test
    void givenOneProcessor_whenSplit_thenGuestAndBackendShareProcessor() {
        HostProcessors only = HostProcessors.of(3);

        assertEquals(new ProcessorSplit(only, only), ProcessorSplit.of(List.of(3)));
        assertEquals(only, ProcessorSplit.of(List.of(3)).all());
    }
}
