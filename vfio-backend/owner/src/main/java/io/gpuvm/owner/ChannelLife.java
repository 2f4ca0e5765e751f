package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lifecycle of physical channels, from binding to unbinding, and the runlist of all virtual
/// machines. Removes channels from the GPU in the order that the hardware requires. Confined to the
/// owner's thread.
final class ChannelLife {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelLife.class);

    private final PhysicalFifo fifo;
    private final ChannelPool pool;
    private final CommandRunner commands;
    private final InterruptRouter interrupts;
    private final TurnClock clock;

    /// @param vms virtual machines that share the GPU; some may be attached later
    ChannelLife(
            PhysicalFifo fifo,
            ChannelPool pool,
            CommandRunner commands,
            List<AttachedVm> vms,
            TurnClock clock) {
        this.fifo = fifo;
        this.pool = pool;
        this.commands = commands;
        this.clock = clock;
        interrupts =
                new InterruptRouter(
                        fifo.registers(),
                        pool,
                        vms,
                        commands,
                        this::showKernelPosition,
                        this::kill,
                        this::hung);
    }

    /// Returns the router of the interrupts that these channels cause.
    InterruptRouter interrupts() {
        return interrupts;
    }

    /// Binds a session's channel to a physical channel, if the virtual machine can acquire a
    /// physical channel.
    void bind(AttachedSession session, OwnedChannel channel, long instanceIova, long userdIova) {
        AttachedVm vm = channel.vm();
        unbind(channel);
        channel.session(session);
        int physical = pool.take(channel);
        if (physical < 0) {
            vm.onNoChannel(channel);
            return;
        }
        channel.bind(physical, instanceIova, vm.arena(), vm.arenaOffset(userdIova, Userd.BYTES));
        fifo.bind(physical, instanceIova, userdIova);
        if (channel.isRunnable()) {
            fifo.start(physical);
        }
        if (channel.isListed()) {
            commitRunlist();
        }
    }

    /// Unbinds a channel from its physical channel, if it is bound.
    void unbind(OwnedChannel channel) {
        if (!channel.isBound()) {
            return;
        }
        kill(channel);
        if (channel.isListed()) {
            channel.listed(false);
            commitRunlist();
        }
        fifo.unbind(channel.physicalId());
        pool.giveBack(channel.physicalId());
        channel.unbind();
    }

    /// Removes a channel from the GPU permanently; it stays bound until its guest unbinds it.
    void kill(OwnedChannel channel) {
        channel.runnable(false);
        fifo.stop(channel.physicalId());
        interrupts.forget(channel);
        fifo.preempt(channel.physicalId());
        commands.abandon(channel, clock.nowNs());
    }

    /// Replaces a session's channels in the runlist. Channels of other sessions are ignored.
    void list(AttachedSession session, int[] listed, int count) {
        unlist(session);
        for (int i = 0; i < count; i++) {
            OwnedChannel channel = session.vm().channel(listed[i]);
            if (channel.isOf(session)) {
                channel.listed(true);
            }
        }
        commitRunlist();
    }

    /// Releases all channels of a session, after a single update has removed them from the runlist:
    /// other virtual machines wait during each update.
    void takeAllAway(AttachedSession session) {
        unlist(session);
        commitRunlist();
        AttachedVm vm = session.vm();
        for (int id = 0; id < Pfifo.CHANNELS; id++) {
            OwnedChannel channel = vm.channel(id);
            if (channel.isOf(session)) {
                unbind(channel);
                channel.runnable(false);
            }
        }
        vm.frozenEngines = 0;
    }

    /// Stops overdue channels: channels whose command exceeds the time limit, and channels whose
    /// guest does not handle an error in time.
    void endOverdue() {
        OwnedChannel command = commands.overdue(clock.nowNs());
        if (command != null) {
            hung(command);
        }
        OwnedChannel stalled = interrupts.overdue(clock.nowNs());
        if (stalled != null) {
            LOG.warn("{}: the guest does not handle an error; the channel is stopped", stalled);
            commands.ledger().killed(stalled, clock.nowNs());
            kill(stalled);
        }
    }

    /// Stops the running commands of a virtual machine at the request of the administrator. Their
    /// guests see engine timeouts, as after the time limit.
    ///
    /// @return number of stopped commands
    int stopCommands(AttachedVm vm) {
        List<OwnedChannel> running = commands.startedOf(vm);
        for (OwnedChannel channel : running) {
            LOG.warn("{}: a command is stopped by request, and its channel with it", channel);
            stopHung(channel);
        }
        return running.size();
    }

    private void hung(OwnedChannel channel) {
        LOG.warn("{}: a command exceeds its time limit; the channel is stopped", channel);
        stopHung(channel);
    }

    private void stopHung(OwnedChannel channel) {
        int engine = engineOf(channel);
        commands.ledger().killed(channel, clock.nowNs());
        kill(channel);
        showKernelPosition(channel);
        channel.session().tell(channel.session().inbox().hung(engine, channel.guestId()));
    }

    /// Shows a session the position of the kernel that has failed on its channel, if the GPU knows
    /// it.
    private void showKernelPosition(OwnedChannel channel) {
        channel.showKernelPosition(fifo.takeKernelPosition(channel.physicalId()));
    }

    private int engineOf(OwnedChannel channel) {
        for (EngineId engine : List.of(EngineId.COPY0, EngineId.COPY1)) {
            if (fifo.statusFor(channel.physicalId(), engine) != 0) {
                return engine.number();
            }
        }
        return EngineId.GRAPH.number();
    }

    private static void unlist(AttachedSession session) {
        for (int id = 0; id < Pfifo.CHANNELS; id++) {
            OwnedChannel channel = session.vm().channel(id);
            if (channel.isOf(session)) {
                channel.listed(false);
            }
        }
    }

    private void commitRunlist() {
        fifo.runlist(pool.listed(), pool.collectListed());
    }
}
