package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.mmu.MmuFault;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Words of constant banks that are available without access to memory. Banks are in global memory.
class ConstantCacheTest {
    private static final WarpError OUTSIDE = WarpError.INVALID_CONST_ADDR;
    private static final int WORDS = 300;

    private final TestSm sm = new TestSm();
    private final ChannelTlb space = new ChannelTlb(sm.gpu.mmu);
    private final ConstantCache cache = new ConstantCache(new VirtualMemory(space), new WarpTrap());

    @BeforeEach
    void fill() {
        for (int i = 0; i < WORDS; i++) {
            sm.setWord(4 * i, i + 1);
        }
    }

    @AfterEach
    void close() {
        sm.close();
    }

    private void bank(int number, long gpuVa, int bytes) {
        Launch launch = sm.launch();
        space.load(launch.instanceTarget(), launch.instanceAddress());
        List<ConstantBank> banks =
                new ArrayList<>(Collections.nCopies(ConstantBank.COUNT, ConstantBank.UNBOUND));
        banks.set(number, new ConstantBank(true, gpuVa, bytes));
        cache.load(
                new Launch(
                        launch.code(),
                        launch.grid(),
                        launch.block(),
                        0,
                        0,
                        launch.storage(),
                        launch.windows(),
                        banks,
                        launch.textures(),
                        launch.instanceTarget(),
                        launch.instanceAddress()));
    }

    @Test
    void givenReadWord_whenQueried_thenLineOfWordIsCached() {
        bank(2, TestSm.DATA, 1024);
        assertFalse(cache.holds(2, 256));
        assertEquals(65, cache.word(2, 256, OUTSIDE));
        for (int offset = 256; offset < 512; offset += 4) {
            assertTrue(cache.holds(2, offset));
            assertEquals(offset / 4 + 1, cache.at(2, offset));
        }
        assertFalse(cache.holds(2, 252));
        assertFalse(cache.holds(2, 512));
        assertFalse(cache.holds(1, 256));
        assertFalse(cache.holds(3, 256));
    }

    @Test
    void givenBankThatEndsInsideLine_whenEndIsRead_thenEndIsCachedAndAccessBeyondEndFails() {
        bank(2, TestSm.DATA, 0x10c);
        assertEquals(66, cache.word(2, 0x104, OUTSIDE));
        sm.setWord(0x108, -1);
        assertTrue(cache.holds(2, 0x108));
        assertEquals(67, cache.word(2, 0x108, OUTSIDE));
        assertFalse(cache.holds(2, 0x10c));
        WarpTrap trap = assertThrows(WarpTrap.class, () -> cache.word(2, 0x10c, OUTSIDE));
        assertEquals(OUTSIDE, trap.error());
    }

    @Test
    void givenBankOf64KiB_whenLastLineIsRead_thenLineIsCached() {
        bank(17, TestSm.DATA, 1 << 16);
        sm.setWord((1 << 16) - 4, 7);
        assertEquals(7, cache.word(17, (1 << 16) - 4, OUTSIDE));
        assertTrue(cache.holds(17, (1 << 16) - 256));
    }

    @Test
    void givenOffsetOutsideAllBanks_whenRead_thenReadFails() {
        bank(17, TestSm.DATA, 1 << 17);
        for (int offset : new int[] {1 << 16, Integer.MIN_VALUE, -4, Integer.MAX_VALUE - 3}) {
            assertFalse(cache.holds(17, offset));
            assertThrows(WarpTrap.class, () -> cache.word(17, offset, OUTSIDE));
        }
        assertFalse(cache.holds(18, 0));
        assertThrows(WarpTrap.class, () -> cache.word(18, 0, OUTSIDE));
        assertThrows(WarpTrap.class, () -> cache.word(0, 0, OUTSIDE));
    }

    @Test
    void givenBankWithoutPage_whenRead_thenEachReadFaults() {
        bank(0, TestSm.DATA + TestSm.DATA_BYTES, 256);
        assertThrows(MmuFault.class, () -> cache.word(0, 0, OUTSIDE));
        assertThrows(MmuFault.class, () -> cache.word(0, 0, OUTSIDE));
        assertFalse(cache.holds(0, 0));
    }

    @Test
    void givenCachedWords_whenInvalidated_thenWordsAreReadAgain() {
        bank(0, TestSm.DATA, 256);
        cache.word(0, 0, OUTSIDE);
        sm.setWord(0, 1234);
        assertEquals(1, cache.word(0, 0, OUTSIDE));
        cache.invalidate();
        assertFalse(cache.holds(0, 0));
        assertEquals(1234, cache.word(0, 0, OUTSIDE));
        cache.drop();
        assertFalse(cache.holds(0, 0));
        assertEquals(1234, cache.word(0, 0, OUTSIDE));
    }

    @Test
    void givenUnreadWords_whenObtained_thenReadableWordsAreCached() {
        bank(2, TestSm.DATA, 1024);
        assertTrue(cache.obtains(2, 256));
        assertEquals(65, cache.at(2, 256));
        assertFalse(cache.obtains(2, 1024));
        assertFalse(cache.obtains(3, 0));

        bank(2, TestSm.DATA + TestSm.DATA_BYTES, 1024);
        assertFalse(cache.obtains(2, 0));
    }
}
