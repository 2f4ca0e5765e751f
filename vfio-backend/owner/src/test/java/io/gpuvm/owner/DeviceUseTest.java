package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import org.junit.jupiter.api.Test;

class DeviceUseTest {
    private final long[][] counted = new long[Pfifo.CHANNELS][EngineId.COUNT];
    private final DeviceUse use =
            new DeviceUse((channel, engine) -> counted[channel][engine.number()], 2);

    private void run(int channel, EngineId engine, long ns) {
        counted[channel][engine.number()] += ns;
    }

    @Test
    void givenTwoChannelsOfVirtualMachine_whenChannelsRun_thenTimesAreAdded() {
        use.taken(3, 0);
        use.taken(4, 0);
        use.taken(5, 1);
        run(3, EngineId.GRAPH, 10);
        run(4, EngineId.GRAPH, 20);
        run(4, EngineId.COPY1, 7);

        assertEquals(30, use.ns(0, EngineId.GRAPH));
        assertEquals(7, use.ns(0, EngineId.COPY1));
        assertEquals(0, use.ns(1, EngineId.GRAPH));
    }

    @Test
    void givenChannel_whenAnotherVirtualMachineAcquiresChannel_thenTimesAreSeparate() {
        use.taken(3, 0);
        run(3, EngineId.GRAPH, 10);
        use.givenBack(3);
        run(3, EngineId.GRAPH, 100);
        use.taken(3, 1);
        run(3, EngineId.GRAPH, 5);

        assertEquals(10, use.ns(0, EngineId.GRAPH));
        assertEquals(5, use.ns(1, EngineId.GRAPH));

        use.givenBack(3);
        use.taken(3, 0);
        run(3, EngineId.GRAPH, 1);

        assertEquals(11, use.ns(0, EngineId.GRAPH));
        assertEquals(5, use.ns(1, EngineId.GRAPH));
    }
}
