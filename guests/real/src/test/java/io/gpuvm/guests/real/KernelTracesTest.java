package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.guests.real.GuestEvent.Log;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KernelTracesTest {
    @Test
    void givenTraceBetweenLines_whenJoined_thenTraceIsOneRecord() {
        assertEquals(
                List.of("before", "WARNING: at x.c:1 Call Trace:", "after"),
                join(
                        "before",
                        "------------[ cut here ]------------",
                        "WARNING: at x.c:1",
                        "Call Trace:",
                        "---[ end trace 0000000000000000 ]---",
                        "after"));
    }

    @Test
    void givenTraceWithoutEnd_whenJoined_thenAvailableLinesAreJoined() {
        assertEquals(
                List.of("WARNING: at x.c:1"),
                join("------------[ cut here ]------------", "WARNING: at x.c:1"));
    }

    private static List<String> join(String... lines) {
        List<Log> log = Stream.of(lines).map(line -> new Log("rmmod", 4, 0, line)).toList();
        return KernelTraces.join(log).stream().map(Log::text).toList();
    }
}
