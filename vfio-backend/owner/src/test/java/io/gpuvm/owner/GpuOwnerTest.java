package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.linux.MemFd;
import io.gpuvm.softgpu.engine.KernelError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Tests of virtual machines that share a GPU, from their requests to the completions.
class GpuOwnerTest {
    private static final int NOWHERE = 0x7654_3000;

    /// Offset in BAR1 at which the owner maps nothing.
    private static final long UNMAPPED = 0x700_0000;

    private static final long PAGE = 4096;
    private static final int MOVED_PAGES = 1024;

    /// Number of moves that exhaust a burst of 1,024 requests: the first move costs as much as 128
    /// requests; each later move, which also copies the old pages back, costs as much as 256.
    private static final int MOVES_IN_BURST = 5;

    private final SharedGpuBench bench = new SharedGpuBench();
    private final TestGuest alice = bench.guest("alice", Pfifo.CHANNELS / 4);
    private final TestGuest bob = bench.guest("bob", Pfifo.CHANNELS / 4);

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenSameChannelNumberOfTwoGuests_whenDoorbellsRing_thenBothChannelsRun() {
        alice.open(3).list(3);
        bob.open(3).list(3);

        alice.submit(3, 11);
        bob.submit(3, 22);

        bench.runUntil("both", () -> alice.done(3) == 11 && bob.done(3) == 22);
        assertEquals(List.of("runlist"), alice.told);
        assertEquals(List.of("runlist"), bob.told);
    }

    @Test
    void givenCommands_whenCompleted_thenGuestIsCharged() {
        alice.open(0).list(0);
        for (int i = 1; i <= 5; i++) {
            int value = i;
            alice.submit(0, value);
            bench.runUntil("command", () -> alice.done(0) == value && !bench.owner.isBusy());
        }

        assertEquals(5, bench.scheduler.accounts().getFirst().completed());
        assertTrue(bench.scheduler.accounts().getFirst().usedNs() > 0);
        assertEquals(0, bench.scheduler.accounts().getLast().completed());
    }

    @Test
    void givenCommands_whenCompleted_thenDeviceTimeIsCountedPerGuest() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submit(0, 1);
        bench.runUntil("command", () -> alice.done(0) == 1 && !bench.owner.isBusy());

        long alices = bench.use.ns(0, EngineId.GRAPH);
        assertTrue(alices > 0);
        assertEquals(0, bench.use.ns(1, EngineId.GRAPH));

        bob.submit(0, 2);
        bench.runUntil("the other guest", () -> bob.done(0) == 2 && !bench.owner.isBusy());
        assertTrue(bench.use.ns(1, EngineId.GRAPH) > 0);
        assertEquals(alices, bench.use.ns(0, EngineId.GRAPH));
    }

    @Test
    void givenUnlistedChannel_whenDoorbellRings_thenChannelRunsAfterListing() {
        alice.open(1);
        alice.list();
        alice.submit(1, 5);
        for (int i = 0; i < 100; i++) {
            bench.turn();
        }
        assertEquals(0, alice.done(1));

        alice.list(1);
        bench.runUntil("command", () -> alice.done(1) == 5);
    }

    @Test
    void givenTwoGuests_whenOneGuestFaults_thenOnlyFaultingGuestIsNotifiedAndOtherGuestContinues() {
        alice.open(0).list(0);
        bob.open(0).list(0);

        alice.submit(
                0,
                1,
                MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
                0,
                NOWHERE,
                9,
                ChannelClass.RELEASE | ChannelClass.RELEASE_SHORT.of(1));
        bench.runUntil("fault", () -> alice.told.size() > 1);
        bob.submit(0, 2);
        bench.runUntil("the other guest", () -> bob.done(0) == 2);

        assertTrue(
                alice.told.getLast().matches("fault \\w+ of 0 at 76543000"), alice.told::toString);
        assertEquals(List.of("runlist"), bob.told);
        assertEquals(0, alice.done(0));
    }

    @Test
    void givenUnattributedFaults_whenRepeated_thenLogIsLimited() {
        Logger logger = (Logger) LoggerFactory.getLogger(InterruptRouter.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
        try {
            for (int i = 0; i < 1000; i++) {
                bench.gpu.read(Bar.BAR1, UNMAPPED, Integer.BYTES);
                bench.runUntil(
                        "fault",
                        () ->
                                bench.gpu.read(
                                                Bar.BAR0,
                                                Pfifo.VM_FAULT_SOURCE.offset(),
                                                Integer.BYTES)
                                        == 0);
            }
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }

        assertEquals(100, log.list.size());
        assertTrue(
                log.list
                        .getFirst()
                        .getFormattedMessage()
                        .startsWith("unattributed MMU fault, unit=BAR1, address="),
                log.list::toString);
    }

    @Test
    void givenNonStallInterrupt_whenRequested_thenInterruptIsDelivered() {
        alice.open(0).list(0);

        alice.submit(0, 1, MethodHeader.increasing(0, ChannelClass.NON_STALL_INTERRUPT, 1), 0);

        bench.runUntil("interrupt", () -> alice.told.size() > 1);
        assertEquals(List.of("runlist", "nonstall 0"), alice.told);
        assertEquals(List.of(), bob.told);
    }

    @Test
    void givenEndlessCommand_whenLimitIsReached_thenCommandIsStoppedAndOtherCommandRuns() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submitEndless(0);
        bench.runUntil("start", bench.owner::isBusy);
        bob.submit(0, 7);

        bench.runUntil("the other guest", () -> bob.done(0) == 7);

        assertEquals("hung 0 on 0", alice.told.getLast());
        assertEquals(List.of("runlist"), bob.told);
    }

    @Test
    void givenUnresponsiveGpu_whenGuestsSendRequests_thenRequestsAreAnsweredAndOwnerContinues() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        bench.runUntil("runlists", () -> !alice.told.isEmpty() && !bob.told.isEmpty());
        bob.told.clear();
        bench.silent.silent(true);

        alice.open(1).list(0, 1);
        alice.requests.flush(alice.directoryIova());
        alice.requests.preempt(0);
        alice.requests.unbind(1);
        bob.list(0);
        bench.runUntil("both reports", () -> alice.told.size() == 4 && !bob.told.isEmpty());

        assertEquals(List.of("runlist", "runlist", "flushed", "preempted 0"), alice.told);
        assertEquals(List.of("runlist"), bob.told);
        assertTrue(bench.silent.waits >= 7, () -> "waits=" + bench.silent.waits);
        bench.silent.silent(false);
        bob.submit(0, 4);
        bench.runUntil("command", () -> bob.done(0) == 4);
    }

    @Test
    void givenStoppedCommand_whenGuestStartsChannel_thenCommandDoesNotRunUnobserved() {
        alice.open(0).list(0);
        alice.submitEndless(0);
        bench.runUntil("end of its time", () -> alice.told.contains("hung 0 on 0"));

        alice.requests.run(0, true);
        bench.turn();
        assertFalse(bench.isRunnable(0));

        alice.close(0, bench::turn).open(0).list(0);
        alice.submit(0, 3);
        bench.runUntil("command", () -> alice.done(0) == 3);
    }

    @Test
    void givenQueuedCommand_whenChannelIsUnlisted_thenCommandIsSkippedUntilListed() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        bob.submitEndless(0);
        bench.runUntil("start", bench.owner::isBusy);
        alice.submit(0, 5);
        alice.list();
        bob.requests.unbind(0);
        bench.runUntil("end", () -> !bench.owner.isBusy());
        assertEquals(0, alice.done(0));

        alice.list(0);
        bench.runUntil("command", () -> alice.done(0) == 5);
    }

    @Test
    void givenRunningCommand_whenChannelIsStopped_thenOtherGuestRunsAndCommandResumesInTime() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submitEndless(0);
        bench.runUntil("start", bench.owner::isBusy);
        alice.requests.run(0, false);
        alice.requests.preempt(0);
        bob.submit(0, 7);
        bench.runUntil("the other guest", () -> bob.done(0) == 7);
        assertEquals(List.of("runlist", "preempted 0"), alice.told);

        alice.requests.run(0, true);

        bench.runUntil("end of its time", () -> alice.told.contains("hung 0 on 0"));
    }

    @Test
    void givenRunningCommand_whenStatusIsRead_thenOnlyOwnGuestSeesEngineBusy() {
        alice.open(3).list(3);
        bob.open(3).list(3);
        alice.submitEndless(3);
        bench.runUntil("start", bench.owner::isBusy);

        int status = alice.requests.engineStatus(EngineId.GRAPH.number());
        assertTrue(Pfifo.STATUS_BUSY.isSet(status));
        assertEquals(3, Pfifo.STATUS_CHANNEL.get(status));
        assertEquals(0, bob.requests.engineStatus(EngineId.GRAPH.number()));

        alice.requests.preempt(3);
        alice.requests.unbind(3);
        bench.turn();
        assertEquals(0, alice.requests.engineStatus(EngineId.GRAPH.number()));
        assertEquals(0, alice.requests.channelState(3));
    }

    @Test
    void givenCommand_whenAnotherEngineIsReset_thenCommandContinuesUntilOwnEngineIsReset() {
        alice.open(0).list(0);
        alice.submitEndless(0);
        bench.runUntil("start", bench.owner::isBusy);
        // The guest sees its engine as busy before it is.
        for (int i = 0; i < 10; i++) {
            bench.turn();
        }

        alice.requests.resetEngines(Pmc.ENABLE_PCOPY0.mask());
        bench.turn();
        assertTrue(bench.owner.isBusy());

        alice.requests.resetEngines(Pmc.ENABLE_PGRAPH.mask());
        bench.turn();
        assertFalse(bench.owner.isBusy());
    }

    @Test
    void givenEndlessCommand_whenTimePasses_thenCommandRunsUntilLimit() {
        long limitNs = TimeUnit.SECONDS.toNanos(3);
        AtomicLong clockNs = new AtomicLong();
        try (SharedGpuBench clocked = new SharedGpuBench(limitNs, clockNs::get)) {
            TestGuest carol = clocked.guest("carol");
            carol.open(0).list(0);
            carol.submitEndless(0);
            clocked.runUntil("start", clocked.owner::isBusy);

            clockNs.addAndGet(limitNs);
            for (int i = 0; i < 50; i++) {
                clocked.turn();
            }
            assertEquals(List.of("runlist"), carol.told);
            assertTrue(clocked.owner.isBusy());

            clockNs.addAndGet(1);
            clocked.runUntil("end", () -> carol.told.contains("hung 0 on 0"));
            assertFalse(clocked.owner.isBusy());
        }
    }

    @Test
    void givenInvalidKernel_whenLaunched_thenGuestReceivesLocationAndChannelContinues() {
        try (SharedGpuBench patient =
                new SharedGpuBench(TimeUnit.HOURS.toNanos(1), System::nanoTime)) {
            TestGuest carol = patient.guest("carol");
            TestGuest dave = patient.guest("dave");
            List<KernelError> errors = new ArrayList<>();
            patient.gpu.onKernelError(errors::add);
            carol.open(0).list(0);
            dave.open(0).list(0);
            carol.submitLaunch(0, 3, ".word 0xffffffffffffdfff");
            patient.runUntil("trap", () -> carol.told.size() > 2);
            assertEquals(
                    List.of("runlist", "gpc 0 tpc 0: 9 0", "graph of 0: 200000 90c0"), carol.told);
            assertEquals(0, carol.done(0));
            assertEquals("ILLEGAL_INSTR_ENCODING", errors.getFirst().what());
            int channel = errors.getFirst().channel();
            assertEquals("carol channel 0", patient.owner.nameOfChannel(channel));
            KernelPosition position = carol.requests.takeKernelPosition(0);
            assertEquals(errors.getFirst().position().codeOffset(), position.offset());
            assertEquals("[0,0,0]", position.thread().toString());
            assertNull(carol.requests.takeKernelPosition(0), "taken");
            assertNull(dave.requests.takeKernelPosition(0), "position of the other guest");

            carol.requests.releaseTrap(EngineId.GRAPH.number(), -1);
            patient.runUntil("command", () -> carol.done(0) == 3);
            dave.submitLaunch(0, 4, "EXIT");
            patient.runUntil("the other guest", () -> dave.done(0) == 4);
            assertEquals(List.of("runlist"), dave.told);
        }
    }

    @Test
    void givenWatchdog_whenEndlessKernelRuns_thenChannelIsStoppedBeforeLimit() {
        long limitNs = TimeUnit.HOURS.toNanos(1);
        try (SharedGpuBench watched =
                new SharedGpuBench("vram=64M,watchdog=0.02", limitNs, System::nanoTime)) {
            TestGuest carol = watched.guest("carol");
            TestGuest dave = watched.guest("dave");
            carol.open(0).list(0);
            dave.open(0).list(0);
            carol.submitLaunch(0, 3, "again: BRA again");
            watched.runUntil("end", () -> carol.told.contains("hung 0 on 0"));
            dave.submitLaunch(0, 4, "EXIT");
            watched.runUntil("the other guest", () -> dave.done(0) == 4);
            assertEquals(0, carol.done(0));
            assertEquals(List.of("runlist"), dave.told);
        }
    }

    @Test
    void givenNoWatchdog_whenEndlessKernelRuns_thenLimitStopsKernelAndOtherKernelRuns() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submitLaunch(0, 3, "again: BRA again");
        bench.runUntil("start", bench.owner::isBusy);
        bob.submitLaunch(0, 4, "EXIT");
        bench.runUntil("the other guest", () -> bob.done(0) == 4);
        assertEquals("hung 0 on 0", alice.told.getLast());
        assertEquals(0, alice.requests.takeKernelPosition(0).offset());
        assertNull(bob.requests.takeKernelPosition(0));
    }

    @Test
    void givenChannelThatWaitsForOtherGuest_whenParked_thenOtherGuestRuns() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submit(
                0,
                1,
                MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
                0,
                (int) TestGuest.ARENA_VA + 0x80000,
                77,
                ChannelClass.ACQUIRE_EQUAL | ChannelClass.ACQUIRE_SWITCH.of(1));
        for (int i = 0; i < 50; i++) {
            bench.turn();
        }

        bob.submit(0, 8);
        bench.runUntil("the other guest", () -> bob.done(0) == 8);

        assertEquals(0, alice.done(0));
        assertTrue(bench.owner.isBusy());
        assertFalse(alice.told.contains("hung 0 on 0"));
    }

    @Test
    void givenSoftwareMethod_whenHandledByGuest_thenChannelContinues() {
        alice.open(0).list(0);
        alice.submit(0, 3, MethodHeader.increasing(7, ChannelClass.SET_OBJECT, 1), 0x1f_906e);
        bench.runUntil("report", () -> alice.told.size() > 1);
        assertTrue(alice.told.getLast().startsWith("pbdma of 0: 800000"), alice.told::toString);
        assertEquals(0, alice.done(0));

        alice.requests.releaseMethod(0, 0x8060_0008, 0, -1);

        bench.runUntil("command", () -> alice.done(0) == 3);
    }

    @Test
    void givenLeavingGuest_whenReset_thenChannelsAreFreeAndOtherGuestContinues() {
        for (int channel = 0; channel < 40; channel++) {
            alice.open(channel);
        }
        alice.list(0);
        bob.open(0).list(0);
        alice.submitEndless(0);
        bench.runUntil("start", bench.owner::isBusy);

        Thread asker = Thread.ofPlatform().start(alice.requests::reset);
        bench.runUntil("reset", () -> !asker.isAlive());
        bob.submit(0, 4);
        bench.runUntil("the other guest", () -> bob.done(0) == 4);
        for (int channel = 0; channel < 40; channel++) {
            bob.open(channel);
        }
        bench.turn();
    }

    @Test
    void givenUnresponsiveGuest_whenPbdmaWaits_thenChannelIsStoppedAndOtherGuestContinues() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submit(0, 3, MethodHeader.increasing(7, ChannelClass.SET_OBJECT, 1), 0x1f_906e);
        bench.runUntil("report", () -> alice.told.size() > 1);

        bob.submit(0, 4, MethodHeader.increasing(7, ChannelClass.SET_OBJECT, 1), 0x1f_906e);
        bench.runUntil("the other guest's report", () -> bob.told.size() > 1);
        bob.requests.releaseMethod(0, 0x8060_0008, 0, -1);
        bench.runUntil("the other guest", () -> bob.done(0) == 4);

        assertEquals(0, alice.done(0));
    }

    @Test
    void givenReportForOtherGuest_whenReleased_thenReleaseIsIgnored() {
        alice.open(0).list(0);
        alice.submit(0, 3, MethodHeader.increasing(7, ChannelClass.SET_OBJECT, 1), 0x1f_906e);
        bench.runUntil("report", () -> alice.told.size() > 1);

        bob.requests.releaseMethod(0, 0x8060_0008, 0, -1);
        bob.requests.releaseMethod(99, 0, 0, -1);
        bob.requests.releaseTrap(0, -1);
        for (int i = 0; i < 50; i++) {
            bench.turn();
        }

        assertEquals(0, alice.done(0));
    }

    @Test
    void givenFrozenEngines_whenDoorbellRings_thenChannelRunsAfterThaw() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.requests.freeze(-1);
        alice.submit(0, 1);
        bob.submit(0, 2);
        bench.runUntil("the other guest", () -> bob.done(0) == 2);
        assertEquals(0, alice.done(0));

        alice.requests.freeze(0);
        bench.runUntil("command", () -> alice.done(0) == 1);
    }

    @Test
    void givenRunningChannel_whenPreempted_thenGuestIsNotifiedAndOtherChannelsRun() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submitEndless(0);
        bench.runUntil("start", bench.owner::isBusy);

        alice.requests.run(0, false);
        alice.requests.preempt(0);
        alice.requests.unbind(0);
        bob.submit(0, 2);
        bench.runUntil("the other guest", () -> bob.done(0) == 2);

        assertEquals(List.of("runlist", "preempted 0"), alice.told);
    }

    @Test
    void givenMoreChannelsThanGpuHas_whenBound_thenSurplusChannelsStayIdleAndOtherChannelsRun() {
        for (int channel = 0; channel < 40; channel++) {
            alice.open(channel);
            bob.open(channel);
            bench.guest("guest " + channel).open(0).open(1).list(0, 1);
        }
        alice.list(0, 39);
        bench.turn();

        alice.submit(0, 1);
        alice.submit(39, 1);
        bench.runUntil("command", () -> alice.done(0) == 1);
    }

    @Test
    void givenGuestThatBindsAllChannels_whenOtherGuestBindsChannels_thenGuaranteedChannelsRun() {
        for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
            alice.bind(channel);
        }
        bench.turn();
        for (int channel = 0; channel < Pfifo.CHANNELS / 4; channel++) {
            bob.open(channel);
        }
        bob.list(0, Pfifo.CHANNELS / 4 - 1);

        bob.submit(0, 1);
        bob.submit(Pfifo.CHANNELS / 4 - 1, 2);

        bench.runUntil("commands", () -> bob.done(0) == 1 && bob.done(Pfifo.CHANNELS / 4 - 1) == 2);
    }

    @Test
    void givenGuestThatFloodsOwner_whenOtherGuestHasWork_thenWorkDoesNotWaitForFlood() {
        int flood = 1000;
        bob.open(0).list(0);
        bench.turn();
        for (int i = 0; i < flood; i++) {
            alice.requests.flush(alice.directoryIova() + (i & 1) * 0x1000);
        }
        bob.submit(0, 1);

        bench.runUntil("the other guest", () -> bob.done(0) == 1);
        assertTrue(alice.told.size() < flood, () -> alice.told.size() + " flushes before");

        bench.runUntil("flood", () -> alice.told.size() == flood);
    }

    @Test
    void givenMemoryBeyondShareOfGuest_whenMapped_thenRefusalNamesGuest() throws Exception {
        try (MemFd file = MemFd.create("gpuvm-test", 8192)) {
            String[] message = new String[1];
            Thread asker =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    alice.requests.mapDma(
                                            new DmaMapping(
                                                    file.descriptor(),
                                                    0,
                                                    8192,
                                                    0xffff_f000L,
                                                    true));
                                } catch (GpuDeviceException e) {
                                    message[0] = e.getMessage();
                                }
                            });
            bench.runUntil("answer", () -> !asker.isAlive());

            assertEquals(
                    "alice: guest memory address=0xfffff000 bytes=0x2000, limit=0x100000000",
                    message[0]);
        }
    }

    /// Reuses the channel's memory as soon as the owner reports that the GPU has released it.
    @Test
    void givenFaultedChannel_whenMemoryOfChannelIsReused_thenNextChannelRuns() {
        for (int round = 1; round <= 20; round++) {
            alice.close(0, bench::turn).open(0).list(0);
            alice.submit(
                    0,
                    1,
                    MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
                    0,
                    NOWHERE,
                    9,
                    ChannelClass.RELEASE | ChannelClass.RELEASE_SHORT.of(1));

            bench.runUntil("fault", () -> alice.told.toString().contains("fault"));
        }
    }

    @Test
    void givenFaultedChannel_whenDoorbellRingsAgain_thenNoGuestWaitsForChannel() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submit(
                0,
                1,
                MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
                0,
                NOWHERE,
                9,
                ChannelClass.RELEASE);
        bench.runUntil("fault", () -> alice.told.size() > 1);

        alice.submit(0, 2);
        alice.requests.run(0, true);
        bench.turn();
        bob.submit(0, 2);
        bench.runUntil("the other guest", () -> bob.done(0) == 2 && !bench.owner.isBusy());

        assertEquals(2, alice.told.size(), alice.told::toString);
    }

    /// Tests with a clock of the owner that is stopped at first, so that the guest has only one
    /// burst.
    @Test
    void givenBurstSpentOnMovedPages_whenGuestMovesMorePages_thenOwnerWaitsForCredit()
            throws InterruptedException {
        AtomicLong clockNs = new AtomicLong();
        try (SharedGpuBench slow =
                new SharedGpuBench(SharedGpuBench.COMMAND_LIMIT_NS, clockNs::get)) {
            TestGuest mover = slow.guest("mover");
            AtomicLong moves = new AtomicLong();
            Thread moving = Thread.ofPlatform().start(() -> movePages(mover, moves));

            slow.runUntil("burst", () -> moves.get() == MOVES_IN_BURST);
            for (int turns = 0; moving.isAlive() && turns < 1000; turns++) {
                slow.turn();
                Thread.sleep(0, 1000);
            }
            assertEquals(MOVES_IN_BURST, moves.get());

            slow.runUntil(
                    "all moves",
                    () -> {
                        clockNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
                        return !moving.isAlive();
                    });
            assertEquals(2 * MOVES_IN_BURST, moves.get());
        }
    }

    /// Makes a window show two ranges of VRAM alternately.
    private static void movePages(TestGuest guest, AtomicLong moves) {
        SharedWindow window = guest.requests.openWindow(MOVED_PAGES * PAGE).orElseThrow();
        for (int move = 0; move < 2 * MOVES_IN_BURST; move++) {
            for (int page = 0; page < MOVED_PAGES; page++) {
                long vram = (page + (move & 1) * MOVED_PAGES) * PAGE;
                window.set(page, PageTableEntry.of(MemoryTarget.VRAM, vram));
            }
            guest.requests.showWindows();
            moves.incrementAndGet();
        }
    }
}
