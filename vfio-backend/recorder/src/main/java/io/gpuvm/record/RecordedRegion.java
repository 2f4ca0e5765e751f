package io.gpuvm.record;

import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.gf100.reg.RegisterRange;

/// Region of an access. Windows of BAR0 are separate from its registers.
public enum RecordedRegion {
    BAR0,
    PRAMIN,
    PROM,
    BAR1,
    BAR3,
    BAR5,
    ROM,
    CONFIG,
    /// Regions that the GPU does not have.
    OTHER;

    /// Returns the region in which an access is counted.
    ///
    /// @param region VFIO's number of the region
    public static RecordedRegion of(int region, long offset) {
        return switch (region) {
            case 0 -> inBar0(offset);
            case 1 -> BAR1;
            case 3 -> BAR3;
            case 5 -> BAR5;
            case 6 -> ROM;
            case 7 -> CONFIG;
            default -> OTHER;
        };
    }

    private static RecordedRegion inBar0(long offset) {
        if (liesIn(Pramin.WINDOW, offset)) {
            return PRAMIN;
        }
        return liesIn(Prom.WINDOW, offset) ? PROM : BAR0;
    }

    private static boolean liesIn(RegisterRange range, long offset) {
        return offset >= range.first() && offset < range.end();
    }
}
