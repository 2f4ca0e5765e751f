package io.gpuvm.linux.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentGroupTest {
    private final List<String> calls = new ArrayList<>();
    private final AgentGroup group =
            new AgentGroup(
                    "both", List.of(new Member("a", 1, false, 5), new Member("b", 2, true, 3)));

    /// Agent whose methods return constants.
    private final class Member implements ParkingAgent {
        private final String name;
        private final int work;
        private final boolean may;
        private final long nanos;

        Member(String name, int work, boolean may, long nanos) {
            this.name = name;
            this.work = work;
            this.may = may;
            this.nanos = nanos;
        }

        @Override
        public void onStart() {
            calls.add(name + " start");
        }

        @Override
        public int doWork() {
            calls.add(name + " work");
            return work;
        }

        @Override
        public boolean mayPark() {
            calls.add(name + " may");
            return may;
        }

        @Override
        public long nanosUntilWork() {
            return nanos;
        }

        @Override
        public void onAwake(boolean slept) {
            calls.add(name + " awake " + slept);
        }

        @Override
        public void onClose() {
            calls.add(name + " close");
            throw new IllegalStateException(name);
        }

        @Override
        public String roleName() {
            return name;
        }
    }

    @Test
    void givenAgents_whenGroupRuns_thenAgentsAreCalledInOrder() {
        group.onStart();
        assertEquals(3, group.doWork());
        group.onAwake(true);
        assertEquals(
                List.of("a start", "b start", "a work", "b work", "a awake true", "b awake true"),
                calls);
        assertEquals("both", group.roleName());
    }

    @Test
    void givenAgentThatMayNotSleep_whenGroupTriesToPark_thenAllAgentsAreCalledAndGroupStaysAwake() {
        assertFalse(group.mayPark());
        assertEquals(List.of("a may", "b may"), calls);
        assertEquals(3, group.nanosUntilWork());
    }

    @Test
    void givenAgentsThatFailToClose_whenGroupIsClosed_thenCloseOfAllAgentsIsTried() {
        Exception failure = assertThrows(IllegalStateException.class, group::onClose);
        assertEquals("a", failure.getMessage());
        assertEquals("b", failure.getSuppressed()[0].getMessage());
        assertEquals(List.of("a close", "b close"), calls);
    }
}
