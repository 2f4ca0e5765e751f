package io.gpuvm.owner;

import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.owner.ChannelState.Transition;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Channel of a virtual machine, as the owner sees it: its [ChannelState], the guest's settings,
/// the put indexes of its ring, and the engines' work for the channel. Confined to the owner's
/// thread.
final class OwnedChannel {
    private static final int UNBOUND = -1;

    private final AttachedVm vm;
    private final int guestId;
    private final CommandTime time = new CommandTime();
    private final EngineNeeds needs = new EngineNeeds();
    private final Userd userd = new Userd();

    private ChannelState state = ChannelState.UNBOUND;

    /// Session that used the channel last.
    private AttachedSession session;

    /// Number of the physical channel, [#UNBOUND] if there is none.
    private int physicalId = UNBOUND;

    private long instanceIova;

    /// True if the guest permits the channel to run; persists while the channel is unbound, until
    /// another session binds it.
    private boolean runnable;

    /// True if the channel is in the guest's runlist; persists while the channel is unbound, until
    /// another session binds it.
    private boolean listed;

    /// Put index of the guest's last doorbell.
    private int wantedPut;

    /// Put index last written to the GPU.
    private int rungPut;

    /// Last observed `PFIFO.ENGINE_STATUS`, by engine; 0 if not busy with the channel.
    private final int[] engineStatuses = new int[EngineId.COUNT];

    OwnedChannel(AttachedVm vm, int guestId) {
        this.vm = vm;
        this.guestId = guestId;
        session = vm.sessions().getFirst();
    }

    AttachedVm vm() {
        return vm;
    }

    /// Returns the session that uses the channel, or used it last.
    AttachedSession session() {
        return session;
    }

    /// Returns whether a session uses the channel, or used it last.
    boolean isOf(AttachedSession user) {
        return session == user;
    }

    /// Gives an unbound channel to a session. Settings of another session do not persist.
    void session(AttachedSession user) {
        if (session != user) {
            session = user;
            runnable = false;
            listed = false;
        }
    }

    /// Returns the guest's number of the channel.
    int guestId() {
        return guestId;
    }

    ChannelState state() {
        return state;
    }

    /// Returns the number of the physical channel. Valid only while bound.
    int physicalId() {
        return physicalId;
    }

    /// Returns the bus address of the instance block. Valid only while bound.
    long instanceIova() {
        return instanceIova;
    }

    /// Returns the engines that the channel's commands use.
    EngineNeeds needs() {
        return needs;
    }

    /// Returns the GPU time of the channel's command.
    CommandTime time() {
        return time;
    }

    boolean isBound() {
        return state != ChannelState.UNBOUND;
    }

    boolean isDead() {
        return state == ChannelState.DEAD;
    }

    /// Returns whether the guest permits the channel to run.
    boolean isRunnable() {
        return runnable;
    }

    /// Returns whether the channel is in its guest's runlist.
    boolean isListed() {
        return listed;
    }

    void runnable(boolean may) {
        runnable = may;
    }

    void listed(boolean isIn) {
        listed = isIn;
    }

    /// Returns whether a command may start: the channel is bound and not dead, and its guest
    /// permits it to run.
    boolean mayStart() {
        return isBound() && !isDead() && runnable && listed && vm.frozenEngines == 0;
    }

    /// Returns whether there is work to queue: a command that was held back, or, if no command is
    /// in flight, entries beyond the put index last written to the GPU.
    boolean hasWork() {
        return state == ChannelState.HELD_BACK
                || state == ChannelState.IDLE && wantedPut != rungPut;
    }

    /// Records a doorbell of the guest.
    void want(int put) {
        wantedPut = put;
    }

    /// Returns the put index last written to the GPU.
    int rungPut() {
        return rungPut;
    }

    /// Binds a physical channel.
    void bind(int id, long instance, MemorySegment userdMemory, long userdOffset) {
        change(Transition.BIND);
        physicalId = id;
        instanceIova = instance;
        userd.wrap(userdMemory, userdOffset);
        wantedPut = userd.ibGet();
        rungPut = wantedPut;
        needs.forget();
    }

    /// Releases the physical channel.
    void unbind() {
        change(Transition.UNBIND);
        physicalId = UNBOUND;
    }

    /// Queues the channel's command for an engine.
    void queue(ScheduledEngine engine) {
        change(Transition.QUEUE);
        needs.queueFor(engine);
    }

    /// Withdraws the channel's command from the queue; the command is offered again when it may
    /// start.
    void withdraw() {
        change(Transition.WITHDRAW);
    }

    /// Starts the channel's command: the current content of its ring.
    ///
    /// @return whether the command had been held back
    boolean start(long nowNs) {
        boolean again = state.isHeldBack();
        change(Transition.START);
        rungPut = wantedPut;
        time.begin(again, nowNs);
        needs.begin();
        return again;
    }

    /// Parks the channel's command, which has stopped using the GPU, and counts its time until now.
    void park(long nowNs) {
        change(Transition.PARK);
        time.stop(nowNs);
    }

    /// Resumes the channel's command.
    void goOn(long nowNs) {
        change(Transition.GO_ON);
        time.goOn(nowNs);
    }

    /// Counts the time of the channel's command until now.
    void count(long nowNs) {
        if (state == ChannelState.RUNNING) {
            time.stop(nowNs);
        }
    }

    /// Completes the channel's command, whose time has been counted and charged.
    void complete() {
        change(Transition.COMPLETE);
    }

    /// Stops the channel's running command, whose time has been counted and charged.
    void holdBack() {
        change(Transition.HOLD_BACK);
    }

    /// Marks the channel dead: the GPU does no more work for it. The scheduler must have no command
    /// of the channel.
    void die() {
        change(Transition.DIE);
    }

    /// Returns whether the GPU has read all entries up to the put index last written to it.
    boolean hasRead() {
        return userd.ibGet() == rungPut;
    }

    /// Records an engine's work for the channel.
    ///
    /// @param status `PFIFO.ENGINE_STATUS`, 0 if the engine is not busy with the channel
    void see(EngineId engine, int status) {
        engineStatuses[engine.number()] = status;
    }

    /// Shows the guest the state of the channel: `PFIFO.CHANNEL_STATE`.
    void show(int word) {
        session.status().showChannel(guestId, Pfifo.STATE_RUNNABLE.with(word, 0));
    }

    /// Shows the guest the position of the channel's kernel that has failed.
    ///
    /// @param position position, or null if it is unknown
    void showKernelPosition(KernelPosition position) {
        session.status().showKernelPosition(guestId, position);
    }

    /// Shows the guest the engines' work for the channel.
    void showEngines() {
        for (int engine = 0; engine < engineStatuses.length; engine++) {
            if (engineStatuses[engine] != 0) {
                showEngine(engine, engineStatuses[engine]);
            }
        }
        for (int engine = 0; engine < engineStatuses.length; engine++) {
            int shown = session.status().engineStatus(engine);
            if (engineStatuses[engine] == 0 && Pfifo.STATUS_CHANNEL.get(shown) == guestId) {
                session.status().showEngine(engine, 0);
            }
        }
    }

    /// Shows the guest that an engine is busy with the channel.
    void showEngine(int engine, int status) {
        session.status().showEngine(engine, Pfifo.STATUS_CHANNEL.with(status, guestId));
    }

    /// Shows the guest that no engine works for the channel.
    ///
    /// @param word `PFIFO.CHANNEL_STATE`
    void showIdle(int word) {
        Arrays.fill(engineStatuses, 0);
        showEngines();
        show(word);
    }

    /// Applies a transition. The only method that changes the state.
    private void change(Transition transition) {
        state = state.after(transition);
    }

    @Override
    public String toString() {
        return "%s channel %d".formatted(vm.name(), guestId);
    }
}
