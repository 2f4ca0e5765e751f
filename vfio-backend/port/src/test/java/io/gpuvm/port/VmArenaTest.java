package io.gpuvm.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.gpuvm.gf100.device.DmaMapping;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the memory for shadow structures.
class VmArenaTest {
    private static final long IOVA = 1L << 36;
    private static final long QUOTA =
            ArenaBlock.SMALL_TABLE.bytes() + 2 * ArenaBlock.INSTANCE.bytes();

    private final VmArena arena = new VmArena("gpuvm-test", IOVA, QUOTA);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void givenArena_whenMappingIsQueried_thenMappingCoversWholeArena() {
        DmaMapping mapping = arena.dmaMapping();
        assertEquals(IOVA, mapping.iova());
        assertEquals(QUOTA, mapping.bytes());
        assertEquals(QUOTA, arena.memory().byteSize());
    }

    @Test
    void givenQuota_whenExhausted_thenAllocationFailsUntilPieceIsReleased() {
        long table = arena.take(ArenaBlock.SMALL_TABLE);
        long instance = arena.take(ArenaBlock.INSTANCE);
        arena.take(ArenaBlock.INSTANCE);
        assertEquals(QUOTA, arena.usedBytes());
        assertEquals(VmArena.NONE, arena.take(ArenaBlock.INSTANCE));
        arena.giveBack(ArenaBlock.INSTANCE, instance);
        assertEquals(instance, arena.take(ArenaBlock.INSTANCE));
        assertNotEquals(table, instance);
    }

    @Test
    void givenReleasedPiece_whenOtherKindIsAllocated_thenPieceIsNotReused() {
        long table = arena.take(ArenaBlock.SMALL_TABLE);
        arena.giveBack(ArenaBlock.SMALL_TABLE, table);
        assertEquals(ArenaBlock.SMALL_TABLE.bytes(), arena.take(ArenaBlock.BIG_TABLE));
        assertEquals(VmArena.NONE, arena.take(ArenaBlock.BIG_TABLE));
    }

    @Test
    void givenUsedPiece_whenAllocatedAgain_thenPieceIsZero() {
        long instance = arena.take(ArenaBlock.INSTANCE);
        arena.memory().set(ValueLayout.JAVA_LONG, instance, -1);
        arena.giveBack(ArenaBlock.INSTANCE, instance);
        assertEquals(instance, arena.take(ArenaBlock.INSTANCE));
        assertEquals(0, arena.memory().get(ValueLayout.JAVA_LONG, instance));
    }
}
