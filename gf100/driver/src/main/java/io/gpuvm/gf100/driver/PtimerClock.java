package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.reg.Ptimer;

/// Reads a GPU's clock, PTIMER.
public final class PtimerClock {
    private PtimerClock() {}

    /// Returns PTIMER's time in nanoseconds. Owner's thread only.
    public static long ns(RegisterPort registers) {
        // The upper half may change between the reads of the two halves.
        while (true) {
            int high = registers.read(Ptimer.TIME_HIGH);
            long low = Integer.toUnsignedLong(registers.read(Ptimer.TIME_LOW));
            if (registers.read(Ptimer.TIME_HIGH) == high) {
                return (long) high << Integer.SIZE | low;
            }
        }
    }
}
