package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Register;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InterruptOutputTest {
    /// Counter of signals, like an eventfd.
    private static final class SignalCounter {
        private final AtomicInteger count = new AtomicInteger();

        int descriptor() {
            return 7;
        }

        boolean signal(int descriptor) {
            assertEquals(descriptor(), descriptor);
            count.incrementAndGet();
            return true;
        }

        int drain() {
            return count.getAndSet(0);
        }
    }

    private final SignalCounter event = new SignalCounter();
    private final InterruptOutput output = new InterruptOutput(event::signal);
    private final InterruptLine pfifo = output.tree().line(Pmc.INTR_PFIFO);
    private final RegisterTable registers =
            RegisterTable.builder(new UndeclaredAccesses((_, _) -> {})).unit(output.tree()).build();

    @BeforeEach
    void enable() {
        write(Pmc.INTR_EN_HOST, 1);
    }

    @AfterEach
    void close() {
        output.disconnect();
    }

    @Test
    void givenMsi_whenLevelRises_thenOnlyOneSignalIsSentBeforeRearm() {
        output.connect(InterruptKind.MSI, event.descriptor());

        pfifo.set(true);
        assertEquals(1, event.drain());
        pfifo.set(false);
        pfifo.set(true);
        assertEquals(0, event.drain());
        output.rearm();
        assertEquals(1, event.drain());
        pfifo.set(false);
        output.rearm();
        assertEquals(0, event.drain());
        pfifo.set(true);
        assertEquals(1, event.drain());
    }

    /// Follows nouveau's handler: top-level enable off, re-arm, service, top-level enable on. An
    /// event during the handler must signal.
    @Test
    void givenLevelRaisedDuringHandler_whenTopEnableIsSet_thenSignalIsSent() {
        output.connect(InterruptKind.MSI, event.descriptor());
        pfifo.set(true);
        assertEquals(1, event.drain());

        write(Pmc.INTR_EN_HOST, 0);
        output.rearm();
        assertEquals(0, event.drain());
        pfifo.set(false);
        pfifo.set(true);
        assertEquals(0, event.drain());
        write(Pmc.INTR_EN_HOST, 1);

        assertEquals(1, event.drain());
    }

    @Test
    void givenAssertedLevel_whenOutputIsConnected_thenSignalIsSentImmediately() {
        pfifo.set(true);

        output.connect(InterruptKind.MSI, event.descriptor());

        assertEquals(1, event.drain());
        assertEquals(1, output.signalled());
    }

    @Test
    void givenIntx_whenSignalled_thenOutputIsMaskedUntilUnmaskedAndLevelIsCheckedAgain() {
        output.connect(InterruptKind.INTX, event.descriptor());
        pfifo.set(true);
        assertEquals(1, event.drain());
        output.rearm();
        assertEquals(0, event.drain());

        output.unmask();
        assertEquals(1, event.drain());
        pfifo.set(false);
        output.unmask();
        assertEquals(0, event.drain());
        pfifo.set(true);
        assertEquals(1, event.drain());
    }

    @Test
    void givenMaskedIntx_whenLevelRises_thenSignalWaitsForUnmask() {
        output.connect(InterruptKind.INTX, event.descriptor());
        output.mask();
        pfifo.set(true);
        assertEquals(0, event.drain());

        output.unmask();

        assertEquals(1, event.drain());
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void givenSignalInProgress_whenIntxIsMasked_thenMaskWaitsUntilSignalIsSent()
            throws InterruptedException {
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        InterruptOutput slow =
                new InterruptOutput(_ -> {
                    sending.countDown();
                    await(goOn);
                    sent.incrementAndGet();
                    return true;
                });
        InterruptLine line = slow.tree().line(Pmc.INTR_PFIFO);
        RegisterTable.builder(new UndeclaredAccesses((_, _) -> {}))
                .unit(slow.tree())
                .build()
                .write(Pmc.INTR_EN_HOST.offset(), Register.BYTES, 1);
        slow.connect(InterruptKind.INTX, event.descriptor());
        Thread engine = Thread.ofPlatform().start(() -> line.set(true));
        sending.await();
        AtomicInteger sentWhenMasked = new AtomicInteger();
        Thread owner =
                Thread.ofPlatform()
                        .start(() -> {
                            slow.mask();
                            sentWhenMasked.set(sent.get());
                        });
        // The loop ends when the call has returned, which would be too early, or waits for the
        // lock.
        while (owner.isAlive() && owner.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        engine.join();
        owner.join();

        assertEquals(1, sentWhenMasked.get());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void givenDisconnectedOutput_whenLevelRises_thenNoSignalIsSent() {
        output.connect(InterruptKind.MSI, event.descriptor());
        output.disconnect();

        pfifo.set(true);

        assertEquals(0, event.drain());
        assertEquals(0, output.signalled());
    }

    /// One thread raises events, the other acts as the driver: waits for a signal, acknowledges,
    /// re-arms. After a lost signal, the driver would wait indefinitely; after a duplicated signal,
    /// there would be more signals than re-arms.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void givenTwoThreads_whenEventsRaceWithRearms_thenNoSignalIsLostOrDuplicated()
            throws InterruptedException {
        int events = 20_000;
        AtomicInteger pending = new AtomicInteger();
        AtomicBoolean finished = new AtomicBoolean();
        LevelLine follower = new LevelLine(pfifo, () -> pending.get() != 0);
        output.connect(InterruptKind.MSI, event.descriptor());
        Thread engine =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i < events; i++) {
                                pending.incrementAndGet();
                                follower.update();
                            }
                            finished.set(true);
                        });
        long rearms = 0;
        long served = 0;
        while (!finished.get() || served < events) {
            if (event.drain() == 0) {
                Thread.yield();
                continue;
            }
            write(Pmc.INTR_EN_HOST, 0);
            output.rearm();
            rearms++;
            served += pending.getAndSet(0);
            follower.update();
            write(Pmc.INTR_EN_HOST, 1);
        }
        engine.join(TimeUnit.SECONDS.toMillis(10));

        assertEquals(events, served);
        assertTrue(
                output.signalled() <= rearms + 1,
                "signals=" + output.signalled() + ", rearms=" + rearms);
    }

    private void write(Register register, int value) {
        registers.write(register.offset(), Register.BYTES, value);
    }
}
