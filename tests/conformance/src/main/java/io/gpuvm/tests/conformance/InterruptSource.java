package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ppci;
import io.gpuvm.gf100.reg.Ptimer;

/// Source of a GPU's interrupt, and the driver's reaction to it.
abstract sealed class InterruptSource {
    final Bench bench;

    private InterruptSource(Bench bench) {
        this.bench = bench;
    }

    /// Returns PTIMER's alarm, with interrupts enabled at all levels.
    static InterruptSource alarm(Bench bench) {
        bench.write(Ptimer.INTR_EN, Ptimer.INTR_ALARM.mask());
        top(bench, true);
        return new Alarm(bench);
    }

    /// Returns a channel's method that PFIFO reports as an interrupt, with interrupts enabled at
    /// all levels.
    static InterruptSource nonStall(Bench bench, TestChannel channel) {
        bench.write(Pfifo.ENGINE_INTR_ENABLE, Pfifo.ENGINE_INTR_NOTIFY.mask());
        bench.write(Pfifo.INTR_EN, Pfifo.INTR_ENGINE.mask());
        top(bench, true);
        return new NonStall(bench, channel);
    }

    /// Raises the interrupt, immediately or after a short delay.
    abstract void raise();

    /// Returns whether the interrupt is pending and has not been served.
    abstract boolean isPending();

    /// Clears the interrupt's level.
    abstract void serve();

    /// Raises the interrupt and waits until it is pending.
    final void raiseAndWait() {
        raise();
        bench.await("level of an interrupt", this::isPending);
    }

    /// Handles an MSI as nouveau does: disables all interrupts, rearms the message, serves the
    /// interrupt, and enables all interrupts.
    final void answerMsi() {
        top(bench, false);
        rearm(bench);
        serve();
        top(bench, true);
    }

    /// Rearms the message by a write of one byte, as nouveau does.
    static void rearm(Bench bench) {
        bench.gpu.write(Bar.BAR0, Ppci.CYA_2.offset(), 1, -1);
    }

    /// Enables or disables the interrupts of all units to the host.
    static void top(Bench bench, boolean open) {
        bench.write(Pmc.INTR_EN_HOST, Pmc.INTR_EN_HARDWARE.of(open ? 1 : 0));
    }

    private static final class Alarm extends InterruptSource {
        /// Delay of the alarm, longer than the write that sets it. A missed alarm would expire only
        /// after the clock wraps around.
        private static final int SOON_NS = 10_000_000;

        Alarm(Bench bench) {
            super(bench);
        }

        @Override
        void raise() {
            bench.write(Ptimer.ALARM, bench.read(Ptimer.TIME_LOW) + SOON_NS);
        }

        @Override
        boolean isPending() {
            return Ptimer.INTR_ALARM.isSet(bench.read(Ptimer.INTR));
        }

        @Override
        void serve() {
            bench.write(Ptimer.INTR, Ptimer.INTR_ALARM.mask());
        }
    }

    private static final class NonStall extends InterruptSource {
        private final TestChannel channel;

        NonStall(Bench bench, TestChannel channel) {
            super(bench);
            this.channel = channel;
        }

        @Override
        void raise() {
            channel.submit(new Program().interrupt());
        }

        @Override
        boolean isPending() {
            return bench.read(Pfifo.ENGINE_INTR_SOURCE) != 0;
        }

        @Override
        void serve() {
            int engines = bench.read(Pfifo.ENGINE_INTR_SOURCE);
            for (int engine = 0; engines >>> engine != 0; engine++) {
                if ((engines >>> engine & 1) != 0) {
                    bench.write(Pfifo.ENGINE_INTR.element(engine), -1);
                }
            }
        }
    }
}
