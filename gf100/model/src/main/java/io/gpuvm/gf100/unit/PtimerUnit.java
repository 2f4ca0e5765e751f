package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Ptimer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// PTIMER: the GPU's clock, which drivers read for timeouts and engines read for timestamps, and
/// its alarm.
///
/// The clock counts nanoseconds in steps of 32 and never runs backwards unless the driver sets it.
/// Registers are confined to the register thread; [#nowNs()], [#pollAlarm()] and
/// [#nanosUntilAlarm()] may be called from any thread.
///
/// Behaviour: nouveau `nvkm/subdev/timer/{nv04,nv41}.c`.
public final class PtimerUnit implements Unit {
    private static final long LOW_MASK = 0xffff_ffffL;

    /// Step of the clock, whose lowest bits are always zero.
    private static final long STEP_NS = 1L << Ptimer.TIME_LOW_NS.low();

    private static final long NEVER = Long.MAX_VALUE;

    private final LongSupplier hostNs;
    private final LevelLine interrupt;
    private final Runnable onAlarmSet;
    private final AtomicInteger pending = new AtomicInteger();

    /// Time of the alarm, on the GPU's clock. Written with [#alarmLock] held.
    private volatile long alarmAtNs = NEVER;

    /// Held while the alarm fires, is set, or is cleared, so that none of these sees a partial
    /// update of another. Alarms are rare.
    private final Object alarmLock = new Object();

    private volatile int enable;

    /// Difference between the GPU's clock and the host's clock, changed when the driver sets the
    /// time. It is one 64-bit word, so that no reader sees half of a change.
    private volatile long offsetNs;

    private int alarm;
    private int timeHigh;

    /// @param hostNs monotonic clock in nanoseconds; thread-safe
    /// @param interrupt PTIMER's input of PMC
    /// @param onAlarmSet called on the register thread when the driver has changed
    ///   [#nanosUntilAlarm()]
    public PtimerUnit(LongSupplier hostNs, InterruptLine interrupt, Runnable onAlarmSet) {
        this.hostNs = hostNs;
        this.interrupt = new LevelLine(interrupt, this::level);
        this.onAlarmSet = onAlarmSet;
    }

    /// Returns the time in nanoseconds, a multiple of 32.
    public long nowNs() {
        return time() & -STEP_NS;
    }

    /// Raises the alarm if it is due.
    ///
    /// @return whether the alarm was due
    public boolean pollAlarm() {
        if (!isAlarmDue()) {
            return false;
        }
        synchronized (alarmLock) {
            if (!isAlarmDue()) {
                return false;
            }
            alarmAtNs = NEVER;
            pending.accumulateAndGet(Ptimer.INTR_ALARM.mask(), (word, set) -> word | set);
            interrupt.update();
        }
        return true;
    }

    /// Returns the number of nanoseconds until [#pollAlarm()] must be called: 0 if the alarm is
    /// due, [Long#MAX_VALUE] if no alarm is set.
    public long nanosUntilAlarm() {
        long at = alarmAtNs;
        return at == NEVER ? NEVER : Math.max(0, at - time());
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.on(Ptimer.INTR, pending::get, this::acknowledge)
                .on(Ptimer.INTR_EN, () -> enable, this::enable)
                .latch(Ptimer.CLOCK_DIV)
                .latch(Ptimer.CLOCK_MUL)
                .latch(Ptimer.CLOCK_SOURCE)
                .on(Ptimer.TIME_LOW, () -> (int) nowNs(), this::setTime)
                .on(Ptimer.TIME_HIGH, () -> (int) (time() >>> Integer.SIZE), this::setTimeHigh)
                .on(Ptimer.ALARM, () -> alarm, this::setAlarm);
    }

    @Override
    public void reset() {
        enable = 0;
        alarm = 0;
        timeHigh = 0;
        synchronized (alarmLock) {
            offsetNs = 0;
            alarmAtNs = NEVER;
            pending.set(0);
            interrupt.update();
        }
    }

    private boolean isAlarmDue() {
        long at = alarmAtNs;
        return at != NEVER && time() - at >= 0;
    }

    private long time() {
        return hostNs.getAsLong() + offsetNs;
    }

    private boolean level() {
        return (pending.get() & enable) != 0;
    }

    private void acknowledge(int bits) {
        pending.accumulateAndGet(bits, (word, clear) -> word & ~clear);
        interrupt.update();
    }

    private void enable(int bits) {
        enable = bits;
        interrupt.update();
    }

    /// Stores the high half, which the driver writes first; it takes effect with the write of the
    /// low half.
    private void setTimeHigh(int high) {
        timeHigh = high;
    }

    private void setTime(int low) {
        long set = (long) timeHigh << Integer.SIZE | Integer.toUnsignedLong(low);
        boolean armed;
        synchronized (alarmLock) {
            offsetNs = set - hostNs.getAsLong();
            armed = alarmAtNs != NEVER;
            if (armed) {
                alarmAtNs = nextAlarmNs();
            }
        }
        if (armed) {
            onAlarmSet.run();
        }
    }

    private void setAlarm(int low) {
        synchronized (alarmLock) {
            alarm = low;
            alarmAtNs = nextAlarmNs();
        }
        onAlarmSet.run();
    }

    /// Returns the next time of the alarm. The alarm compares only the low half of the clock, so a
    /// time that has passed recurs 2^32 ns later.
    private long nextAlarmNs() {
        long now = time();
        long at = now & ~LOW_MASK | Integer.toUnsignedLong(alarm);
        return at - now < 0 ? at + LOW_MASK + 1 : at;
    }
}
