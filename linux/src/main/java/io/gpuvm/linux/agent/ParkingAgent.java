package io.gpuvm.linux.agent;

import org.agrona.concurrent.Agent;

/// Agent whose thread sleeps while the agent has no work.
///
/// All methods are called on the agent's thread, except [#roleName()].
public interface ParkingAgent extends Agent, Parkable {
    /// Agent without work.
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

    /// Does pending work, up to a bound.
    ///
    /// @return amount of work done
    @Override
    int doWork();

    /// Handles an error of [#doWork()], or of the methods that precede a sleep.
    ///
    /// @return whether the agent continues normally; false ends it
    default boolean survives(Throwable error) {
        return false;
    }
}
