package io.gpuvm.evaluation;

import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Duration of the synthetic program's transfers in a native process, from which the length of its
/// kernel follows for each share of transfers.
///
/// @param transferNs duration of the program without a kernel, in nanoseconds
record TransferCalibration(long transferNs) {
    private static final int RUNS = 9;
    private static final long WHOLE_PERCENT = 100;

    /// Measures the transfers in a native process.
    ///
    /// @throws GuestLostException if the guest is lost
    static TransferCalibration measure(MeasuredGuest guest, long bytes)
            throws InterruptedException {
        List<Long> ns = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            ns.add(
                    guest.program()
                            .ask(
                                    "transfer",
                                    MeasuredProgram.arguments()
                                            .put("bytes", bytes)
                                            .put("computeUs", 0))
                            .path("ns")
                            .asLong());
        }
        return new TransferCalibration(Math.round(Samples.of(ns).median()));
    }

    /// Returns the length of the kernel with which transfers take a share of the program's time.
    ///
    /// @param sharePercent share of the transfers, 1 to 99 percent
    /// @return length in microseconds, at least 1
    int computeUs(int sharePercent) {
        long ns = transferNs * (WHOLE_PERCENT - sharePercent) / sharePercent;
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMicros(ns));
    }
}
