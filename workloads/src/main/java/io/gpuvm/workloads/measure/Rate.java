package io.gpuvm.workloads.measure;

import io.gpuvm.workloads.Work;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/// Rates of the phases: bytes, launches or operations per second.
public enum Rate {
    COPY_IN("copyInBytesPerSecond", Phase.COPY_IN, Work::bytesIn),
    LAUNCHES("launchesPerSecond", Phase.LAUNCH, Work::launches),
    OPERATIONS("operationsPerSecond", Phase.LAUNCH, Work::operations),
    COPY_OUT("copyOutBytesPerSecond", Phase.COPY_OUT, Work::bytesOut);

    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final String key;
    private final Phase phase;
    private final ToLongFunction<Work> amount;

    Rate(String key, Phase phase, ToLongFunction<Work> amount) {
        this.key = key;
        this.phase = phase;
        this.amount = amount;
    }

    /// Returns the name in JSON.
    public String key() {
        return key;
    }

    /// Returns the phase that determines the rate.
    public Phase phase() {
        return phase;
    }

    /// Returns whether a run with the given work has this rate.
    public boolean isPartOf(Work work) {
        return amount.applyAsLong(work) > 0;
    }

    /// Returns the number of bytes, launches or operations per second.
    ///
    /// @param phaseNs duration of the phase in nanoseconds
    public double perSecond(Work work, double phaseNs) {
        return amount.applyAsLong(work) * NS_PER_SECOND / Math.max(1, phaseNs);
    }

    /// Returns the unit of the bytes, launches or operations.
    public String unit(Work work) {
        return switch (this) {
            case COPY_IN, COPY_OUT -> "B";
            case LAUNCHES -> "launches";
            case OPERATIONS -> work.unit();
        };
    }
}
