package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;

/// Engines that a channel's commands use, as far as the owner can know: it sees only on which one
/// they are when it looks. Sets of engines are bits of [ScheduledEngine]. Confined to the owner's
/// thread.
final class EngineNeeds {
    /// Number of commands after which an engine is forgotten that they did not use.
    private static final int NARROW_COMMANDS = 16;

    /// The engine for which the command was queued that waits or has started.
    private ScheduledEngine queuedFor = ScheduledEngine.GRAPH;

    /// Engines that the command which runs has for itself.
    private int holds;

    /// Engines that its command has used so far, as the owner saw it.
    private int hasUsed;

    /// Engines that its commands use, as far as is known.
    private int engines = ScheduledEngine.GRAPH.bit();

    /// Whether it has used any engine since it was bound, so that there was something to go by.
    private boolean isKnown;

    /// Number of commands in a row that have used fewer than all of [#engines].
    private int narrow;

    /// Forgets everything: the channel is bound anew.
    void forget() {
        engines = ScheduledEngine.GRAPH.bit();
        isKnown = false;
        narrow = 0;
    }

    /// The engine to queue its next command for.
    ScheduledEngine wanted() {
        return ScheduledEngine.of(Integer.numberOfTrailingZeros(engines));
    }

    /// Notes the engine for which a command is queued.
    void queueFor(ScheduledEngine engine) {
        queuedFor = engine;
    }

    /// The engine for which its command was queued.
    ScheduledEngine queuedFor() {
        return queuedFor;
    }

    /// Engines that its command must have for itself: the one it was queued for and those that it
    /// is known to use.
    int needed() {
        return engines | queuedFor.bit();
    }

    /// Its command begins, and has the engines that it needs.
    void begin() {
        hasUsed = 0;
        holds = needed();
    }

    /// Engines that its command has for itself.
    int held() {
        return holds;
    }

    /// Gives its command more engines for itself.
    void hold(int more) {
        holds |= more;
    }

    /// Notes what the owner has seen of the command.
    ///
    /// @param busyEngines engines that are busy with it, a bit each by PFIFO's numbers
    /// @param state `PFIFO.CHANNEL_STATE`
    /// @return engines that it uses without having them for itself
    int see(int busyEngines, int state) {
        int last = Pfifo.STATE_ENGINE.get(state);
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            if (engine == last || (busyEngines >>> engine & 1) != 0) {
                hasUsed |= ScheduledEngine.ofFifo(engine).bit();
            }
        }
        return hasUsed & ~holds;
    }

    /// Engines that its command is charged for.
    int charged() {
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
}
