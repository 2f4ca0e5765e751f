package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.FenceDeclareCommand;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of declared fences.
class DeclaredFencesTest {
    private final MemorySegment data = Arena.ofAuto().allocate(64 << 10, 4096);
    private final AreaTwin twin = new AreaTwin(data);
    private final DeclaredFences fences = new DeclaredFences();

    @AfterEach
    void close() {
        twin.close();
    }

    @Test
    void givenFences_whenWordsChange_thenOnlyChangedFencesAreReported() {
        for (long offset = 4000; offset > 0; offset -= 40) {
            assertTrue(fences.declare(twin, offset));
            assertTrue(fences.declare(twin, offset));
        }
        assertEquals(100, fences.count());
        assertFalse(fences.look(twin));
        data.set(WireType.U32, 80, 5);
        data.set(WireType.U32, 84, 6);
        data.set(WireType.U32, 4000, 7);

        assertTrue(fences.look(twin));

        assertEquals(2, fences.changed());
        assertEquals(80, fences.changedOffset(0));
        assertEquals(5, fences.changedWord(0));
        assertEquals(4000, fences.changedOffset(1));
        assertEquals(7, fences.changedWord(1));
        twin.agree(80, 5);
        twin.agree(4000, 7);
        assertFalse(fences.look(twin));
    }

    @Test
    void givenFenceOfPeer_whenStored_thenItIsNotReported() {
        fences.declare(twin, 16);
        twin.store(16, 3);
        assertFalse(fences.look(twin));
        assertEquals(3, data.get(WireType.U32, 16));
    }

    @Test
    void givenFences_whenRangeIsRemoved_thenOthersRemain() {
        for (long offset = 0; offset < 400; offset += 4) {
            fences.declare(twin, offset);
        }
        fences.remove(100, 200);
        assertEquals(75, fences.count());
        assertEquals(96, fences.next(96));
        assertEquals(200, fences.next(97));
        assertEquals(Long.MAX_VALUE, fences.next(397));
    }

    @Test
    void givenMostFences_whenAnotherIsDeclared_thenItIsRefused() {
        for (int i = 0; i < FenceDeclareCommand.MOST_WORDS; i++) {
            assertTrue(fences.declare(twin, i * 4L));
        }
        assertTrue(fences.declare(twin, 0));
        assertFalse(fences.declare(twin, FenceDeclareCommand.MOST_WORDS * 4L));
    }
}
