package io.gpuvm.replay;

import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pcopy;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Pmu;
import io.gpuvm.gf100.reg.Ptimer;
import io.gpuvm.gf100.reg.RegisterArray;
import io.gpuvm.gf100.reg.RegisterMap;
import io.gpuvm.gf100.reg.VideoFalcons;
import io.gpuvm.record.RecordView;
import io.gpuvm.record.RecordedRegion;
import java.util.Arrays;
import java.util.Set;

/// Classification of reads of a GPU: by side effects, and by the dependence of their values on
/// time.
final class GuestReads {
    private static final int BAR0 = 0;

    private static final Falcon[] FALCONS = {
        Pcopy.FALCON_0,
        Pcopy.FALCON_1,
        VideoFalcons.PVLD,
        VideoFalcons.PPDEC,
        VideoFalcons.PPPP,
        Ctxctl.HUB,
        Ctxctl.GPC,
        Pmu.FALCON
    };

    /// Registers of the clock and the alarm, whose values depend on the time of the read.
    private static final Set<Integer> TIMERS =
            Set.of(
                    Ptimer.TIME_LOW.offset(),
                    Ptimer.TIME_HIGH.offset(),
                    Ptimer.ALARM.offset(),
                    Ptimer.INTR.offset());

    /// Bits that show whether hardware is currently processing a channel.
    private static final int MOMENTARY_CHANNEL_STATE =
            Pfifo.STATE_LOADED.mask() | Pfifo.STATE_PENDING.mask();

    private GuestReads() {}

    /// Returns whether a read accesses the clock.
    static boolean isTimer(RecordView read) {
        return read.region() == BAR0 && TIMERS.contains((int) read.offset());
    }

    /// Returns whether a read accesses the pending interrupts.
    static boolean isInterrupt(RecordView read) {
        return read.region() == BAR0 && read.offset() == Pmc.INTR_HOST.offset();
    }

    /// Returns whether a message accesses the register that requests a preemption.
    static boolean isPreemption(RecordView access) {
        return access.region() == BAR0 && access.offset() == Pfifo.PREEMPT.offset();
    }

    /// Returns whether a read returned that no preemption is in progress.
    static boolean isCompletedPreemption(RecordView read) {
        return isPreemption(read) && !Pfifo.PREEMPT_BUSY.isSet((int) read.value());
    }

    /// Returns the part of a value that does not depend on the time.
    static long stable(RecordView read, long answer) {
        return isInterrupt(read) ? stableInterrupts(answer) : answer;
    }

    /// Returns whether a read accesses memory.
    static boolean isOfMemory(RecordView read) {
        return switch (RecordedRegion.of(read.region(), read.offset())) {
            case PRAMIN, BAR1, BAR3 -> true;
            default -> false;
        };
    }

    /// Returns whether a read may be repeated: it has no side effect, and its value can change.
    static boolean isRepeatable(RecordView read) {
        return switch (RecordedRegion.of(read.region(), read.offset())) {
            case PRAMIN, BAR1, BAR3 -> true;
            case BAR0 -> !isTimer(read) && !isPort((int) read.offset());
            default -> false;
        };
    }

    /// Returns the offsets of the registers that make up a GPU's state: all defined registers
    /// except clocks and ports. Ports advance on a read.
    static int[] stateRegisters() {
        return Arrays.stream(RegisterMap.gf100().definedOffsets())
                .filter(offset -> !TIMERS.contains(offset) && !isPort(offset))
                .toArray();
    }

    /// Returns a word of [#stateRegisters()] without the bits that depend on the time.
    static int stable(int offset, int value) {
        if (offset == Pmc.INTR_HOST.offset() || offset == Pmc.INTR_NRHOST.offset()) {
            return (int) stableInterrupts(value);
        }
        return isIn(Pfifo.CHANNEL_STATE, offset) ? value & ~MOMENTARY_CHANNEL_STATE : value;
    }

    private static boolean isIn(RegisterArray array, int offset) {
        int into = offset - array.offset();
        return into >= 0 && into < array.stride() * array.count() && into % array.stride() == 0;
    }

    private static long stableInterrupts(long value) {
        return value & ~Integer.toUnsignedLong(Pmc.INTR_PTIMER.mask());
    }

    private static boolean isPort(int offset) {
        for (Falcon falcon : FALCONS) {
            if (falcon.data().offset() == offset) {
                return true;
            }
        }
        return false;
    }
}
