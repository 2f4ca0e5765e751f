package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.guests.real.GuestEvent.Booted;
import io.gpuvm.guests.real.GuestEvent.Exited;
import io.gpuvm.guests.real.GuestEvent.Loaded;
import io.gpuvm.guests.real.GuestEvent.Other;
import io.gpuvm.guests.real.GuestEvent.Started;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GuestTimelineTest {
    private final GuestTimeline timeline = new GuestTimeline();

    @Test
    void givenEventsOfAllMoments_whenProgramRunsTwice_thenFirstTimesAreKept() {
        timeline.accept(new Booted("6.12", "workload"), 1);
        timeline.accept(new Loaded(0), 2);
        timeline.accept(new Started("workload"), 3);
        timeline.accept(new Other("mmul, size 64 ..."), 4);
        timeline.accept(new Other("mmul, size 64: verified"), 5);
        timeline.accept(new Exited("workload", 0), 6);
        timeline.accept(new Loaded(0), 7);
        timeline.accept(new Started("workload"), 8);

        assertEquals(
                Map.of(
                        Moment.BOOTED,
                        1.0,
                        Moment.DRIVER_LOADED,
                        2.0,
                        Moment.PROGRAM_STARTED,
                        3.0,
                        Moment.FIRST_OUTPUT,
                        4.0,
                        Moment.PROGRAM_ENDED,
                        6.0),
                timeline.moments());
    }

    @Test
    void givenOutputOfInit_whenProgramHasNotStarted_thenLineIsNotCountedAsProgramOutput() {
        timeline.accept(new Booted("6.12", "workload"), 1);
        timeline.accept(new Other("insmod: a message"), 2);

        assertEquals(Map.of(Moment.BOOTED, 1.0), timeline.moments());
    }
}
