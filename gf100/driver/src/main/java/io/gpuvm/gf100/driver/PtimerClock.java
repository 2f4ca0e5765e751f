package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.reg.Ptimer;

/// Reads the time of a GPU.
public final class PtimerClock {
    private PtimerClock() {}

    /// Nanoseconds since its last reset. Confined to the owner of the GPU.
    public static long ns(RegisterPort registers) {
        // The two halves are read one after the other, between which the upper one may change.
        while (true) {
            int high = registers.read(Ptimer.TIME_HIGH);
            long low = Integer.toUnsignedLong(registers.read(Ptimer.TIME_LOW));
            if (registers.read(Ptimer.TIME_HIGH) == high) {
                return (long) high << Integer.SIZE | low;
            }
        }
    }
}
