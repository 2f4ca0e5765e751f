package io.gpuvm.linux.agent;

import java.util.List;

/// Agents that run in turn on one thread. The thread sleeps while all agents may sleep. The failure
/// of an agent ends the whole group.
public final class AgentGroup implements ParkingAgent {
    private final String name;
    private final ParkingAgent[] agents;

    /// @param name name of the thread
    /// @param agents agents in the order of their turns
    public AgentGroup(String name, List<ParkingAgent> agents) {
        this.name = name;
        this.agents = agents.toArray(ParkingAgent[]::new);
    }

    @Override
    public void onStart() {
        for (ParkingAgent agent : agents) {
            agent.onStart();
        }
    }

    @Override
    public int doWork() {
        int work = 0;
        for (ParkingAgent agent : agents) {
            work += agent.doWork();
        }
        return work;
    }

    /// Calls every agent, because every agent must prepare for the thread's sleep.
    @Override
    public boolean mayPark() {
        boolean may = true;
        for (ParkingAgent agent : agents) {
            may &= agent.mayPark();
        }
        return may;
    }

    @Override
    public long nanosUntilWork() {
        long nanos = Long.MAX_VALUE;
        for (ParkingAgent agent : agents) {
            nanos = Math.min(nanos, agent.nanosUntilWork());
        }
        return nanos;
    }

    @Override
    public void onAwake(boolean slept) {
        for (ParkingAgent agent : agents) {
            agent.onAwake(slept);
        }
    }

    /// Closes all agents, even if closing an agent fails.
    @Override
    public void onClose() {
        RuntimeException failure = null;
        for (ParkingAgent agent : agents) {
            try {
                agent.onClose();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public String roleName() {
        return name;
    }
}
