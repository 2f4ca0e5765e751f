package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.reg.Pfifo;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One channel of one virtual machine, as the owner knows it. Confined to the owner's thread.
final class OwnedChannel {
    /// What a bound channel has to do at present.
    enum Work {
        /// Nothing: all that was rung for is done.
        NONE,
        /// A command waits for its turn.
        QUEUED,
        /// A command runs.
        RUNNING,
        /// A command runs, but waits for a semaphore: it neither uses the GPU nor is charged.
        PARKED
    }

    static final int UNBOUND = -1;

    /// After how many commands an engine is forgotten that they did not use.
    private static final int NARROW_COMMANDS = 16;

    final AttachedVm vm;
    final int guestId;

    /// The physical channel, [#UNBOUND] if there is none.
    int physicalId = UNBOUND;

    long instanceIova;
    boolean runnable;
    boolean listed;

    /// Whether it faulted or was stopped: the GPU does nothing for it until it is bound again.
    boolean dead;

    Work work = Work.NONE;

    /// Put index that the guest rang for last, and the one that the GPU was told.
    int wantedPut;

    int rungPut;

    /// When the command that runs began to use the GPU, how long it has had before, how much of
    /// that was charged already, and how long it had before it was held back.
    long runningSinceNs;

    long usedNs;
    long chargedNs;
    long beforeNs;

    /// Whether a command that had begun is kept from going on until its turn comes again.
    boolean heldBack;

    /// The engine for which its command was queued that waits or has started.
    EngineClass queuedFor = EngineClass.GRAPH;

    /// Engines that the command which runs has for itself: bits of [EngineClass].
    int holds;

    /// Engines that its command has used so far, as the owner saw it: bits of [EngineClass].
    private int hasUsed;

    /// Engines that its commands use, as far as is known: bits of [EngineClass].
    private int engines = EngineClass.GRAPH.bit();

    /// Whether it has used any engine since it was bound, so that there was something to go by.
    private boolean isKnown;

    /// How many commands in a row have used fewer than all of [#engines].
    private int narrow;

    /// What each engine does for the channel, as the owner saw it last: `PFIFO.ENGINE_STATUS`.
    final int[] engineStatuses = new int[EngineId.COUNT];

    private final Userd userd = new Userd();

    OwnedChannel(AttachedVm vm, int guestId) {
        this.vm = vm;
        this.guestId = guestId;
    }

    boolean isBound() {
        return physicalId != UNBOUND;
    }

    void bind(int id, long instance, MemorySegment userdMemory, long userdOffset) {
        physicalId = id;
        instanceIova = instance;
        userd.wrap(userdMemory, userdOffset);
        wantedPut = userd.ibGet();
        rungPut = wantedPut;
        work = Work.NONE;
        dead = false;
        heldBack = false;
        engines = EngineClass.GRAPH.bit();
        isKnown = false;
        narrow = 0;
    }

    void unbind() {
        physicalId = UNBOUND;
        work = Work.NONE;
    }

    /// Its command begins.
    void begin() {
        usedNs = 0;
        chargedNs = 0;
        hasUsed = 0;
        holds = needs();
    }

    /// The engine to queue its next command for.
    EngineClass wants() {
        return EngineClass.of(Integer.numberOfTrailingZeros(engines));
    }

    /// Engines that its command must have for itself, the one it was queued for and those that it
    /// is known to use: bits of [EngineClass].
    int needs() {
        return engines | queuedFor.bit();
    }

    /// The owner has looked at it while it runs.
    ///
    /// @param busyEngines engines that are busy with it, a bit each by PFIFO's numbers
    /// @param state `PFIFO.CHANNEL_STATE`
    /// @return engines that it uses without having them for itself: bits of [EngineClass]
    int sees(int busyEngines, int state) {
        int last = Pfifo.STATE_ENGINE.get(state);
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            if (engine == last || (busyEngines >>> engine & 1) != 0) {
                hasUsed |= EngineClass.ofFifo(engine).bit();
            }
        }
        return hasUsed & ~holds;
    }

    /// Engines that its command is charged for: bits of [EngineClass].
    int chargedFor() {
        return holds | hasUsed;
    }

    /// Its command is over: what it has used says what the next one needs. What a command was seen
    /// on counts until a number of commands have done without.
    void learn() {
        if (hasUsed == 0) {
            return;
        }
        boolean fewer = (engines & ~hasUsed) != 0;
        narrow = fewer && (hasUsed & ~engines) == 0 ? narrow + 1 : 0;
        boolean forget = !isKnown || narrow == NARROW_COMMANDS;
        engines = forget ? hasUsed : engines | hasUsed;
        narrow = forget ? 0 : narrow;
        isKnown = true;
    }

    /// Whether the GPU has read all that it was told of.
    boolean hasRead() {
        return userd.ibGet() == rungPut;
    }

    /// Shows the guest what the channel does: `PFIFO.CHANNEL_STATE`.
    void show(int state) {
        vm.status().showChannel(guestId, Pfifo.STATE_RUNNABLE.with(state, 0));
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
    /// @param state `PFIFO.CHANNEL_STATE`
    void showIdle(int state) {
        Arrays.fill(engineStatuses, 0);
        showEngines();
        show(state);
    }

    @Override
    public String toString() {
        return "%s channel %d".formatted(vm.name(), guestId);
    }
}
