package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;

/// Engines that a channel's commands use, as far as the owner can observe: the owner sees only the
/// engine that is in use at the time of an observation. Sets of engines are bits of
/// [ScheduledEngine]. Confined to the owner's thread.
final class EngineNeeds {
    /// Number of successive commands that use only a part of [#engines] after which the engines of
    /// the last one are the only ones needed.
    private static final int NARROW_COMMANDS = 16;

    /// Engine for which the waiting or started command was queued.
    private ScheduledEngine queuedFor = ScheduledEngine.GRAPH;

    /// Engines that the running command holds.
    private int holds;

    /// Engines that the owner has observed the command use.
    private int hasUsed;

    /// Engines that the channel's commands are known to use.
    private int engines = ScheduledEngine.GRAPH.bit();

    /// True if the channel has used at least one engine since it was bound.
    private boolean isKnown;

    /// Number of successive commands that have used fewer than all of [#engines].
    private int narrow;

    /// Discards all observations, because the channel is bound again.
    void forget() {
        engines = ScheduledEngine.GRAPH.bit();
        isKnown = false;
        narrow = 0;
    }

    /// Returns the engine for which to queue the next command.
    ScheduledEngine wanted() {
        return ScheduledEngine.of(Integer.numberOfTrailingZeros(engines));
    }

    /// Records the engine for which a command is queued.
    void queueFor(ScheduledEngine engine) {
        queuedFor = engine;
    }

    /// Returns the engine for which the command was queued.
    ScheduledEngine queuedFor() {
        return queuedFor;
    }

    /// Returns the engines that the command must hold: the engine for which it was queued, and all
    /// engines that it is known to use.
    int needed() {
        return engines | queuedFor.bit();
    }

    /// Begins a command, which holds the engines that it needs.
    void begin() {
        hasUsed = 0;
        holds = needed();
    }

    /// Returns the engines that the command holds.
    int held() {
        return holds;
    }

    /// Adds engines to those that the command holds.
    void hold(int more) {
        holds |= more;
    }

    /// Records an observation of the command.
    ///
    /// @param busyEngines engines that are busy with the command, one bit each by PFIFO's numbers
    /// @param state `PFIFO.CHANNEL_STATE`
    /// @return engines that the command uses without holding them
    int see(int busyEngines, int state) {
        int last = Pfifo.STATE_ENGINE.get(state);
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            if (engine == last || (busyEngines >>> engine & 1) != 0) {
                hasUsed |= ScheduledEngine.ofFifo(engine).bit();
            }
        }
        return hasUsed & ~holds;
    }

    /// Returns the engines for which the command is charged.
    int charged() {
        return holds | hasUsed;
    }

    /// Ends a command. The engines that it used are added to [#engines]. They replace [#engines]
    /// after the channel's first command, and after [#NARROW_COMMANDS] successive commands that
    /// used only a part of them.
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
