package io.gpuvm.linux.agent;

import org.agrona.concurrent.Agent;

/// An agent whose thread sleeps while there is nothing to do: it says when that is.
///
/// All methods are called on the agent's thread, but for [#roleName()].
public interface ParkingAgent extends Agent, Parkable {
    /// Nothing to do, ever.
    ParkingAgent IDLE =
            new ParkingAgent() {
                @Override
                public int doWork() {
                    return 0;
                }

                @Override
                public boolean mayPark() {
                    return true;
                }

                @Override
                public String roleName() {
                    return "idle";
                }
            };

    /// Does what there is to do, up to a bound.
    ///
    /// @return how much was done
    @Override
    int doWork();

    /// Decides what becomes of an error of [#doWork()], or of what leads to sleep.
    ///
    /// @return whether the agent goes on as if nothing had happened; false ends it
    default boolean survives(Throwable error) {
        return false;
    }
}
