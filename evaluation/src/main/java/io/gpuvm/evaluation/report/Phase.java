package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.WorkloadSample;
import io.gpuvm.evaluation.data.WorkloadSample.PhaseTimes;
import java.util.function.ToLongFunction;

/// Phase of a run, as `docs/workloads.md` defines it.
enum Phase {
    INITIALIZE("initialize", PhaseTimes::initialize),
    COPY_IN("copyIn", PhaseTimes::copyIn),
    LAUNCH("launch", PhaseTimes::launch),
    COPY_OUT("copyOut", PhaseTimes::copyOut),
    CLOSE("close", PhaseTimes::close);

    private final String title;
    private final ToLongFunction<PhaseTimes> time;

    Phase(String title, ToLongFunction<PhaseTimes> time) {
        this.title = title;
        this.time = time;
    }

    /// Returns the phase's name in the data.
    String title() {
        return title;
    }

    /// Returns the phase's duration, in nanoseconds.
    double of(WorkloadSample sample) {
        return time.applyAsLong(sample.phasesNs());
    }

    Series series() {
        return Series.numbered(title, ordinal());
    }
}
