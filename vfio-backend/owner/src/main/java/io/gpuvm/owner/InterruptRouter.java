package io.gpuvm.owner;

import io.gpuvm.gf100.driver.FaultBlock;
import io.gpuvm.gf100.driver.MpTraps;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.driver.StoppedEngine;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pcopy;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ppci;
import io.gpuvm.logging.LogLimit;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Router of the GPU's interrupts: finds the channel and the guest of each interrupt.
///
/// Faults and non-stall interrupts are acknowledged immediately. An interrupt that stops a unit
/// until a driver has handled it (a PBDMA at a method, PGRAPH or a copy engine at an error) is
/// masked, delivered to the guest, and acknowledged when the guest has handled it; see [Stall].
/// Confined to the owner's thread.
final class InterruptRouter {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptRouter.class);

    private static final int ALL = -1;

    /// Maximum number of log lines about unattributed interrupts in a burst; each minute permits
    /// one more line.
    private static final int MOST_LINES = 100;

    private static final int UNITS =
            Pmc.INTR_PFIFO.mask()
                    | Pmc.INTR_PGRAPH.mask()
                    | Pmc.INTR_PCOPY0.mask()
                    | Pmc.INTR_PCOPY1.mask();

    private final RegisterPort registers;
    private final ChannelPool pool;
    private final List<AttachedVm> vms;
    private final CommandRunner commands;
    private final Consumer<OwnedChannel> onKernelError;
    private final Consumer<OwnedChannel> onFault;
    private final Consumer<OwnedChannel> onHang;
    private final MpTraps mps;
    private final Stall[] pbdmas = new Stall[Pbdma.COUNT];
    private final Stall graph = new Stall();
    private final Stall copy0 = new Stall();
    private final Stall copy1 = new Stall();
    private final Stall[] engines = {graph, copy0, copy1};

    /// Limit of these log lines, because a guest may be able to cause many unattributed interrupts.
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    /// @param onKernelError called before a session gets a report that a kernel may have caused, to
    ///   show the session the kernel's position
    /// @param onFault called to remove a faulted channel from the GPU
    /// @param onHang called to remove from the GPU a channel that its engine does not release, and
    ///   to notify the guest
    InterruptRouter(
            RegisterPort registers,
            ChannelPool pool,
            List<AttachedVm> vms,
            CommandRunner commands,
            Consumer<OwnedChannel> onKernelError,
            Consumer<OwnedChannel> onFault,
            Consumer<OwnedChannel> onHang) {
        this.registers = registers;
        this.pool = pool;
        this.vms = vms;
        this.commands = commands;
        this.onKernelError = onKernelError;
        this.onFault = onFault;
        this.onHang = onHang;
        this.mps = new MpTraps(registers);
        for (int i = 0; i < pbdmas.length; i++) {
            pbdmas[i] = new Stall();
        }
    }

    /// Enables the interrupts of all units that the owner handles, after a reset.
    void enable() {
        registers.write(Pgraph.INTR_EN, ALL);
        registers.write(Pmc.INTR_MASK_HOST, UNITS);
        registers.write(Pmc.INTR_EN_HOST, Pmc.INTR_EN_HARDWARE.mask());
    }

    /// Handles all pending interrupts, and rearms the message-signalled interrupt.
    void handle(long nowNs) {
        int pending = registers.read(Pmc.INTR_HOST) & UNITS;
        if (Pmc.INTR_PFIFO.isSet(pending)) {
            handleFifo(nowNs);
        }
        if (Pmc.INTR_PGRAPH.isSet(pending)) {
            handleGraph(nowNs);
        }
        if (Pmc.INTR_PCOPY0.isSet(pending)) {
            handleCopy(EngineId.COPY0, Pcopy.FALCON_0, copy0, nowNs);
        }
        if (Pmc.INTR_PCOPY1.isSet(pending)) {
            handleCopy(EngineId.COPY1, Pcopy.FALCON_1, copy1, nowNs);
        }
        registers.write(Ppci.CYA_2, Ppci.CYA_2_REARM);
    }

    /// Releases a PBDMA after the guest has handled its interrupt. No effect if no interrupt was
    /// delivered to that session.
    void releaseMethod(AttachedSession session, int pbdma, int method, int data) {
        if (pbdma < 0 || pbdma >= pbdmas.length || !pbdmas[pbdma].isOf(session)) {
            return;
        }
        pbdmas[pbdma].end();
        registers.write(Pbdma.METHOD, pbdma, method);
        registers.write(Pbdma.DATA, pbdma, data);
        registers.write(Pbdma.INTR, pbdma, ALL);
        registers.write(Pbdma.INTR_EN, pbdma, ALL);
    }

    /// Releases an engine after the guest has handled its trap. No effect if no trap was delivered
    /// to that session.
    void releaseTrap(AttachedSession session, int engine) {
        if (engine == EngineId.GRAPH.number() && graph.isOf(session)) {
            graph.end();
            registers.write(Pgraph.INTR, ALL);
            registers.write(Pgraph.INTR_EN, ALL);
        } else if (engine == EngineId.COPY0.number() && copy0.isOf(session)) {
            releaseCopy(copy0, Pcopy.FALCON_0);
        } else if (engine == EngineId.COPY1.number() && copy1.isOf(session)) {
            releaseCopy(copy1, Pcopy.FALCON_1);
        }
    }

    /// Returns a channel whose guest has stalled a unit for too long; null if there is none.
    OwnedChannel overdue(long nowNs) {
        for (Stall pbdma : pbdmas) {
            if (pbdma.isOverdue(nowNs)) {
                return pbdma.channel();
            }
        }
        for (Stall engine : engines) {
            if (engine.isOverdue(nowNs)) {
                return engine.channel();
            }
        }
        return null;
    }

    /// Releases all units that wait for the guest of a channel, because the channel is unbound.
    void forget(OwnedChannel channel) {
        for (int pbdma = 0; pbdma < pbdmas.length; pbdma++) {
            if (pbdmas[pbdma].channel() == channel) {
                int nothing = Pbdma.METHOD_VALID.of(1);
                releaseMethod(channel.session(), pbdma, nothing, 0);
            }
        }
        if (graph.channel() == channel) {
            releaseTrap(channel.session(), EngineId.GRAPH.number());
        }
        if (copy0.channel() == channel) {
            releaseTrap(channel.session(), EngineId.COPY0.number());
        }
        if (copy1.channel() == channel) {
            releaseTrap(channel.session(), EngineId.COPY1.number());
        }
    }

    private void handleFifo(long nowNs) {
        int pending = registers.read(Pfifo.INTR) & registers.read(Pfifo.INTR_EN);
        if (Pfifo.INTR_ENGINE.isSet(pending)) {
            handleNonStall();
        }
        if (Pfifo.INTR_VM_FAULT.isSet(pending)) {
            handleFaults(nowNs);
        }
        if (Pfifo.INTR_PBDMA.isSet(pending)) {
            handlePbdmas(nowNs);
        }
        if (Pfifo.INTR_RUNLIST.isSet(pending)) {
            registers.write(Pfifo.RUNLIST_EVENT, registers.read(Pfifo.RUNLIST_EVENT));
        }
        int latched = Pfifo.INTR_LATCHED.get(pending);
        if (Pfifo.INTR_SCHED_ERROR.isSet(latched) && handleHang()) {
            registers.write(Pfifo.INTR, Pfifo.INTR_SCHED_ERROR.mask());
            latched &= ~Pfifo.INTR_SCHED_ERROR.mask();
        }
        if (latched != 0) {
            if (lines.spend()) {
                LOG.warn("unattributed interrupt, PFIFO.INTR=0x{}", Integer.toHexString(latched));
            }
            registers.write(Pfifo.INTR, latched);
        }
    }

    /// Delivers a non-stall event. The event names an engine but no channel, so every guest that
    /// has had work since the last event receives it; drivers expect events that other clients have
    /// caused.
    private void handleNonStall() {
        int engines = registers.read(Pfifo.ENGINE_INTR_SOURCE);
        for (int bits = engines; bits != 0; bits &= bits - 1) {
            int engine = Integer.numberOfTrailingZeros(bits);
            registers.write(Pfifo.ENGINE_INTR, engine, ALL);
            for (int vm = 0; vm < vms.size(); vm++) {
                tellNonStall(vms.get(vm).sessions(), engine);
            }
        }
        for (int vm = 0; vm < vms.size(); vm++) {
            forgetWork(vms.get(vm).sessions());
        }
    }

    /// Records which sessions have had no work since the event.
    private void forgetWork(List<AttachedSession> sessions) {
        for (int i = 0; i < sessions.size(); i++) {
            AttachedSession session = sessions.get(i);
            session.worked = session.worked && commands.isRunning(session);
        }
    }

    private static void tellNonStall(List<AttachedSession> sessions, int engine) {
        for (int i = 0; i < sessions.size(); i++) {
            AttachedSession session = sessions.get(i);
            if (session.worked) {
                // The event may be dropped if the inbox is full, because the guest then has other
                // reports to handle.
                session.inbox().nonStall(engine);
                session.wake();
            }
        }
    }

    /// Removes a faulted channel from its engine immediately, because other guests need the engine,
    /// then notifies the channel's guest.
    private void handleFaults(long nowNs) {
        int units = registers.read(Pfifo.VM_FAULT_SOURCE);
        for (int bits = units; bits != 0; bits &= bits - 1) {
            int unit = Integer.numberOfTrailingZeros(bits);
            FaultBlock fault = FaultBlock.take(registers, unit);
            OwnedChannel channel = pool.withInstance(fault.instance());
            if (channel == null) {
                if (lines.spend()) {
                    LOG.warn(
                            "unattributed MMU fault, unit={}, address=0x{}, instance=0x{}",
                            unit == FaultUnit.BAR1.number() ? "BAR1" : unit,
                            Long.toHexString(fault.gpuVa()),
                            Long.toHexString(fault.instance()));
                }
                continue;
            }
            onKernelError.accept(channel);
            commands.ledger().faulted(channel, nowNs);
            onFault.accept(channel);
            AttachedSession session = channel.session();
            session.tell(
                    session.inbox()
                            .mmuFault(unit, channel.guestId(), fault.gpuVa(), fault.status()));
        }
    }

    /// @return whether an engine that does not release its channel was found
    private boolean handleHang() {
        boolean found = false;
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            int status = registers.read(Pfifo.ENGINE_STATUS, engine);
            OwnedChannel channel =
                    StoppedEngine.hangs(status)
                            ? pool.holder(Pfifo.STATUS_CHANNEL.get(status))
                            : null;
            if (channel != null && !channel.isDead()) {
                onHang.accept(channel);
                found = true;
            }
        }
        return found;
    }

    private void handlePbdmas(long nowNs) {
        int source = registers.read(Pfifo.PBDMA_INTR_SOURCE);
        for (int bits = source; bits != 0; bits &= bits - 1) {
            int pbdma = Integer.numberOfTrailingZeros(bits);
            int id = Pbdma.CHANNEL_ID.get(registers.read(Pbdma.CHANNEL, pbdma));
            OwnedChannel channel = pool.holder(id);
            registers.write(Pbdma.INTR_EN, pbdma, 0);
            if (channel == null) {
                registers.write(Pbdma.INTR, pbdma, ALL);
                registers.write(Pbdma.INTR_EN, pbdma, ALL);
                continue;
            }
            pbdmas[pbdma].begin(channel, nowNs);
            channel.session()
                    .inbox()
                    .pbdma(
                            pbdma,
                            channel.guestId(),
                            registers.read(Pbdma.INTR, pbdma),
                            registers.read(Pbdma.METHOD, pbdma),
                            registers.read(Pbdma.DATA, pbdma));
            channel.session().wake();
        }
    }

    private void handleGraph(long nowNs) {
        int interrupts = registers.read(Pgraph.INTR);
        OwnedChannel channel = pool.withInstance(StoppedEngine.graphInstance(registers));
        boolean stopped = Pgraph.INTR_TRAP.isSet(interrupts) && mps.take();
        if (channel == null || interrupts == 0) {
            registers.write(Pgraph.INTR, ALL);
            return;
        }
        if (stopped) {
            onKernelError.accept(channel);
            channel.session()
                    .inbox()
                    .mpTrap(mps.gpc(), mps.tpc(), mps.warpError(), mps.globalError());
        }
        registers.write(Pgraph.INTR_EN, 0);
        graph.begin(channel, nowNs);
        int address = registers.read(Pgraph.TRAPPED_ADDR);
        int subchannel = Pgraph.TRAPPED_ADDR_SUBCHANNEL.get(address);
        channel.session()
                .inbox()
                .graphTrap(
                        channel.guestId(),
                        interrupts,
                        address,
                        registers.read(Pgraph.TRAPPED_DATA),
                        registers.read(Pgraph.DATA_ERROR),
                        registers.read(Pgraph.CTX_CACHE, subchannel));
        channel.session().wake();
    }

    private void handleCopy(EngineId engine, Falcon falcon, Stall stall, long nowNs) {
        OwnedChannel channel = pool.withInstance(StoppedEngine.copyInstance(registers, falcon));
        if (channel == null) {
            registers.write(falcon.intrAck(), ALL);
            return;
        }
        registers.write(Pmc.INTR_MASK_HOST, registers.read(Pmc.INTR_MASK_HOST) & ~maskOf(engine));
        stall.begin(channel, nowNs);
        channel.session()
                .inbox()
                .copyTrap(
                        engine.number(),
                        channel.guestId(),
                        registers.read(falcon.intr()),
                        registers.read(falcon.scratch0()),
                        registers.read(falcon.scratch1()));
        channel.session().wake();
    }

    private void releaseCopy(Stall stall, Falcon falcon) {
        EngineId engine = stall == copy0 ? EngineId.COPY0 : EngineId.COPY1;
        stall.end();
        registers.write(falcon.intrAck(), ALL);
        registers.write(Pmc.INTR_MASK_HOST, registers.read(Pmc.INTR_MASK_HOST) | maskOf(engine));
    }

    private static int maskOf(EngineId engine) {
        return engine == EngineId.COPY0 ? Pmc.INTR_PCOPY0.mask() : Pmc.INTR_PCOPY1.mask();
    }
}
