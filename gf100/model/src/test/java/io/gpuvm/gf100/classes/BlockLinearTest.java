package io.gpuvm.gf100.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class BlockLinearTest {
    @Test
    void givenOneGob_whenBytesAreLocated_thenBitsAreInterleaved() {
        BlockLinear surface = new BlockLinear().describe(BlockLinear.mode(0, 0), 64, 8);
        assertEquals(0x0f, surface.offset(15, 0, 0));
        assertEquals(0x10, surface.offset(0, 1, 0));
        assertEquals(0x20, surface.offset(16, 0, 0));
        assertEquals(0x40, surface.offset(0, 2, 0));
        assertEquals(0x80, surface.offset(0, 4, 0));
        assertEquals(0x100, surface.offset(32, 0, 0));
        assertEquals(512, surface.bytes(1));
    }

    @Test
    void givenBlocksOfSeveralGobs_whenBytesAreLocated_thenGobsAndBlocksAreInXyzOrder() {
        int mode = BlockLinear.mode(2, 1);
        BlockLinear surface = new BlockLinear().describe(mode, 130, 70);
        long blockBytes = 512L * 4 * 2;
        assertEquals(512, surface.offset(0, 8, 0));
        assertEquals(512 * 4, surface.offset(0, 0, 1));
        assertEquals(blockBytes, surface.offset(64, 0, 0));
        assertEquals(3 * blockBytes, surface.offset(0, 32, 0));
        assertEquals(3 * 3 * blockBytes, surface.offset(0, 0, 2));
        assertEquals(2 * 3 * 3 * blockBytes, surface.bytes(3));
    }

    @Test
    void givenSurface_whenAllBytesAreLocated_thenOffsetsAreUniqueAndRunsAreContiguous() {
        for (int mode :
                new int[] {
                    BlockLinear.mode(0, 0), BlockLinear.mode(3, 2), BlockLinear.narrowMode(1, 1)
                }) {
            BlockLinear surface = new BlockLinear().describe(mode, 100, 19);
            BitSet seen = new BitSet();
            for (int z = 0; z < 5; z++) {
                for (int y = 0; y < 19; y++) {
                    for (int x = 0; x < 100; x++) {
                        long offset = surface.offset(x, y, z);
                        assertTrue(offset < surface.bytes(5));
                        assertFalse(seen.get((int) offset));
                        seen.set((int) offset);
                        long run = surface.offset(x & -BlockLinear.RUN_BYTES, y, z);
                        assertEquals(run + x % BlockLinear.RUN_BYTES, offset);
                    }
                }
            }
        }
    }

    @Test
    void givenTileModesWithOversizedBlocks_whenChecked_thenModesAreInvalid() {
        assertTrue(BlockLinear.isValid(BlockLinear.mode(5, 5)));
        assertFalse(BlockLinear.isValid(BlockLinear.mode(6, 0)));
        assertFalse(BlockLinear.isValid(BlockLinear.mode(0, 6)));
    }
}
