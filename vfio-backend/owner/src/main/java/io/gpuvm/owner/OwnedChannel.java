package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.owner.ChannelState.Transition;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One channel of one virtual machine, as the owner knows it: its [ChannelState], what its guest
/// has set, how far its ring is filled, and what engines do for it. Confined to the owner's thread.
final class OwnedChannel {
    private static final int UNBOUND = -1;

    private final AttachedVm vm;
    private final int guestId;
    private final CommandTime time = new CommandTime();
    private final EngineNeeds needs = new EngineNeeds();
    private final Userd userd = new Userd();

    private ChannelState state = ChannelState.UNBOUND;

    /// The physical channel, [#UNBOUND] if there is none.
    private int physicalId = UNBOUND;

    private long instanceIova;

    /// Set by the guest, bound or not: may run, and is in the runlist.
    private boolean runnable;

    private boolean listed;

    /// Put index that the guest rang for last, and the one that the GPU was told.
    private int wantedPut;

    private int rungPut;

    /// By engine: `PFIFO.ENGINE_STATUS` as the owner saw it last, 0 if not busy with the channel.
    private final int[] engineStatuses = new int[EngineId.COUNT];

    OwnedChannel(AttachedVm vm, int guestId) {
        this.vm = vm;
        this.guestId = guestId;
    }

    AttachedVm vm() {
        return vm;
    }

    /// The guest's number of it.
    int guestId() {
        return guestId;
    }

    ChannelState state() {
        return state;
    }

    /// The physical channel. Only while it is bound.
    int physicalId() {
        return physicalId;
    }

    /// Bus address of its instance block. Only while it is bound.
    long instanceIova() {
        return instanceIova;
    }

    /// Engines that its commands use.
    EngineNeeds needs() {
        return needs;
    }

    /// GPU time of its command.
    CommandTime time() {
        return time;
    }

    boolean isBound() {
        return state != ChannelState.UNBOUND;
    }

    boolean isDead() {
        return state == ChannelState.DEAD;
    }

    /// Whether its guest lets it run: set with [#runnable(boolean)].
    boolean isRunnable() {
        return runnable;
    }

    /// Whether it is in its guest's runlist.
    boolean isListed() {
        return listed;
    }

    void runnable(boolean may) {
        runnable = may;
    }

    void listed(boolean isIn) {
        listed = isIn;
    }

    /// Whether a command of it may start: it is bound and alive, and its guest lets it run.
    boolean mayStart() {
        return isBound() && !isDead() && runnable && listed && vm.frozenEngines == 0;
    }

    /// Whether there is something to queue: a command that was held back, or one that the GPU was
    /// not told of while no other is under way.
    boolean hasWork() {
        return state == ChannelState.HELD_BACK
                || state == ChannelState.IDLE && wantedPut != rungPut;
    }

    /// Notes a doorbell of the guest.
    void want(int put) {
        wantedPut = put;
    }

    /// Put index that the GPU is told.
    int rungPut() {
        return rungPut;
    }

    /// Gets a physical channel.
    void bind(int id, long instance, MemorySegment userdMemory, long userdOffset) {
        change(Transition.BIND);
        physicalId = id;
        instanceIova = instance;
        userd.wrap(userdMemory, userdOffset);
        wantedPut = userd.ibGet();
        rungPut = wantedPut;
        needs.forget();
    }

    /// Loses its physical channel.
    void unbind() {
        change(Transition.UNBIND);
        physicalId = UNBOUND;
    }

    /// Its command waits for its turn on an engine.
    void queue(ScheduledEngine engine) {
        change(Transition.QUEUE);
        needs.queueFor(engine);
    }

    /// Its command does not wait for its turn any more; it is offered again when it may start.
    void withdraw() {
        change(Transition.WITHDRAW);
    }

    /// Its turn has come: its command is all that its ring holds by now.
    ///
    /// @return whether it is a command that was held back
    boolean start(long nowNs) {
        boolean again = state.isHeldBack();
        change(Transition.START);
        rungPut = wantedPut;
        time.begin(again, nowNs);
        needs.begin();
        return again;
    }

    /// Its command stops to use the GPU. What it has used until now is counted.
    void park(long nowNs) {
        change(Transition.PARK);
        time.stop(nowNs);
    }

    /// Its command uses the GPU again.
    void goOn(long nowNs) {
        change(Transition.GO_ON);
        time.goOn(nowNs);
    }

    /// Counts what its command has used until now.
    void count(long nowNs) {
        if (state == ChannelState.RUNNING) {
            time.stop(nowNs);
        }
    }

    /// Its command has ended. What it has used is counted and charged.
    void complete() {
        change(Transition.COMPLETE);
    }

    /// Its command is stopped where it is. What it has used is counted and charged.
    void holdBack() {
        change(Transition.HOLD_BACK);
    }

    /// The GPU does nothing for it any more. It has no command under way in the scheduler.
    void die() {
        change(Transition.DIE);
    }

    /// Whether the GPU has read all that it was told of.
    boolean hasRead() {
        return userd.ibGet() == rungPut;
    }

    /// Notes what an engine does for the channel.
    ///
    /// @param status `PFIFO.ENGINE_STATUS`, 0 if it is not busy with the channel
    void see(EngineId engine, int status) {
        engineStatuses[engine.number()] = status;
    }

    /// Shows the guest what the channel does: `PFIFO.CHANNEL_STATE`.
    void show(int word) {
        vm.status().showChannel(guestId, Pfifo.STATE_RUNNABLE.with(word, 0));
    }

    /// Shows the guest what engines do for the channel.
    void showEngines() {
        for (int engine = 0; engine < engineStatuses.length; engine++) {
            if (engineStatuses[engine] != 0) {
                showEngine(engine, engineStatuses[engine]);
            }
        }
        for (int engine = 0; engine < engineStatuses.length; engine++) {
            int shown = vm.status().engineStatus(engine);
            if (engineStatuses[engine] == 0 && Pfifo.STATUS_CHANNEL.get(shown) == guestId) {
                vm.status().showEngine(engine, 0);
            }
        }
    }

    /// Shows the guest that an engine is busy with the channel.
    void showEngine(int engine, int status) {
        vm.status().showEngine(engine, Pfifo.STATUS_CHANNEL.with(status, guestId));
    }

    /// Shows the guest that no engine does anything for the channel.
    ///
    /// @param word `PFIFO.CHANNEL_STATE`
    void showIdle(int word) {
        Arrays.fill(engineStatuses, 0);
        showEngines();
        show(word);
    }

    /// The only place where the state changes.
    private void change(Transition transition) {
        state = state.after(transition);
    }

    @Override
    public String toString() {
        return "%s channel %d".formatted(vm.name(), guestId);
    }
}
