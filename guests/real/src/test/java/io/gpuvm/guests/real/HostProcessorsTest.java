package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostProcessorsTest {
    private static final List<String> COUNT = List.of("/usr/bin/nproc");

    @Test
    void givenAllProcessors_whenCommandIsRun_thenCommandIsUnchanged() {
        assertEquals(COUNT, HostProcessors.ALL.run(COUNT));
    }

    @Test
    void givenOneProcessor_whenCommandRuns_thenCommandHasOneProcessor() throws IOException {
        Process process = new ProcessBuilder(HostProcessors.of(0).run(COUNT)).start();
        assertEquals(
                "1\n",
                new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    }

    @Test
    void givenNegativeNumber_whenCreated_thenNumberIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> HostProcessors.of(0, -1));
    }
}
