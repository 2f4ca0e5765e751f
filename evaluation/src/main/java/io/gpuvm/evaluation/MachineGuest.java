package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.GuestStart;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Program in a virtual machine, alone on its backend. One thread.
final class MachineGuest implements MeasuredGuest {
    private static final String TRAPS = "traps.";
    private static final double NS_PER_SECOND = 1e9;

    private final AccessConfiguration configuration;
    private final MachineGroup group;
    private final Map<String, Long> trapsOfStart = new TreeMap<>();

    /// @param group group with one machine, whose program is ready
    MachineGuest(AccessConfiguration configuration, MachineGroup group) {
        this.configuration = configuration;
        this.group = group;
        trapsOfStart.putAll(read().counts());
        trapsOfStart.keySet().removeIf(name -> !name.startsWith(TRAPS));
    }

    @Override
    public MeasuredProgram program() {
        return group.programs().getFirst();
    }

    @Override
    public GpuReading read() {
        return group.backend().read();
    }

    @Override
    public void moveDelayingThreads() throws InterruptedException {
        group.backend().moveDelayingThreads();
    }

    @Override
    public GuestStart start(int round) throws InterruptedException {
        List<Double> probes = group.guest().verdict().secondsToProbe();
        return new GuestStart(
                configuration.key(),
                round,
                group.startNs(),
                probes.isEmpty() ? 0 : Math.round(probes.getFirst() * NS_PER_SECOND),
                group.greeting().ns("contextNs"),
                trapsOfStart);
    }

    @Override
    public List<String> complaints() throws InterruptedException {
        return group.guest().verdict().failures();
    }

    @Override
    public void close() {
        group.close();
    }
}
