package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.Handle;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tests of current and released handles.
class HandleTableTest {
    private static final int PLACES = 4;

    /// Number of different handles for one index.
    private static final int GENERATIONS = (1 << 14) - 1;

    private final HandleTable<String> table = new HandleTable<>(HandleTable.Kind.VRAM, PLACES);

    @Test
    void givenObjects_whenAdded_thenEachObjectHasHandleUntilTableIsFull() {
        Set<Integer> handles = new HashSet<>();
        for (int i = 0; i < PLACES; i++) {
            int handle = table.add("thing " + i);
            assertTrue(handles.add(handle));
            assertEquals("thing " + i, table.get(handle));
        }
        assertTrue(table.isFull());
        assertEquals(PLACES, table.size());
        assertEquals(HandleTable.FULL, table.add("one more"));
    }

    @Test
    void givenRemovedObject_whenSlotIsReused_thenOldHandleIsInvalid() {
        int first = table.add("first");
        table.remove(first);
        Set<Integer> handles = new HashSet<>(Set.of(first));
        for (int i = 1; i < GENERATIONS; i++) {
            int handle = table.add("next");
            assertTrue(handles.add(handle));
            assertNull(table.get(first));
            table.remove(handle);
        }
    }

    @Test
    void givenAnyNumber_whenLookedUp_thenResultIsNullUnlessHandleIsAllocated() {
        int handle = table.add("thing");
        HandleTable<String> others = new HandleTable<>(HandleTable.Kind.SPACE, PLACES);
        assertNotEquals(handle, others.add("other"));
        assertNull(others.get(handle));
        assertNull(table.get(Handle.NONE));
        assertNull(table.get(Handle.DATA_AREA));
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            int any = random.nextInt();
            assertTrue(any == handle || table.get(any) == null);
        }
    }
}
