package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Pbfb;
import io.gpuvm.gf100.reg.Pibus;
import io.gpuvm.gf100.reg.Punits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoardTest {
    private static final List<Integer> QUADRO_6000 = List.of(4, 4, 3, 3);

    @ParameterizedTest
    @CsvSource({"6144, 6, 1024", "512, 4, 128", "256, 4, 64", "320, 5, 64", "67, 1, 67"})
    void givenVramSize_whenBoardIsCreated_thenNumberOfEqualPartitionsIsMaximal(
            int mib, int partitions, int each) {
        Board board = Board.of(mib, QUADRO_6000, true, true);

        assertEquals(partitions, board.partitions());
        assertEquals(each, board.partitionMib());
    }

    @Test
    void givenAnyNumberOfMib_whenBoardIsCreated_thenPartitionsAddUpToVramSize() {
        for (int mib = Board.MIN_VRAM_MIB; mib <= Board.MAX_VRAM_MIB; mib++) {
            int vramMib = Board.mibOf((long) mib << 20);
            Board board = Board.of(vramMib, QUADRO_6000, true, true);

            assertEquals(mib, board.partitions() * board.partitionMib());
        }
    }

    /// Reads the registers that `nvkm/subdev/fb/ramgf100.c` reads: nouveau forms one range from
    /// equal partitions. All other units must report the same number of partitions.
    @ParameterizedTest
    @ValueSource(ints = {64, 65, 66, 67, 69, 77, 96, 100, 128, 509, 768, 1365, 2048, 6143, 6144})
    void givenAnyNumberOfMib_whenDriverProbesVram_thenVramIsOneRangeAndUnitsReportSamePartitions(
            int mib) {
        Board board = Board.of(mib, QUADRO_6000, true, true);
        RegisterBench bench =
                new RegisterBench(
                        new BoardUnit(board),
                        new PffbUnit(board, new NoTranslations()),
                        new PibusUnit(board),
                        new CtxctlUnit(board, () -> 0));
        int partitions = bench.read(Punits.DESIGN_PART_COUNT);
        int total = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < partitions; i++) {
            total += bench.read(Pbfb.MEM_AMOUNT, i);
            least = Math.min(least, bench.read(Pbfb.MEM_AMOUNT, i));
        }

        assertEquals(mib, total);
        assertEquals(mib, least * partitions);
        assertEquals(least, bench.read(Pbfb.BROADCAST_MEM_AMOUNT));
        assertEquals(0, bench.read(Punits.HW_PART_DISABLE_MASK));
        assertEquals(partitions, bench.read(Pibus.MAIN_PART_COUNT));
        assertEquals(partitions, bench.read(Ctxctl.UNITS) >>> 16 & 0x1f);
        assertEquals(List.of(), bench.undeclared.snapshot());
    }

    @ParameterizedTest
    @CsvSource({
        "67108863, 1048576",
        "66060288, 67108864 to 6442450944",
        "6443499520, 67108864 to 6442450944",
        "-1048576, 67108864"
    })
    void givenUnsupportedVramSize_whenConverted_thenErrorContainsLimit(long bytes, String limit) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> Board.mibOf(bytes));

        assertTrue(refusal.getMessage().startsWith("vram=" + bytes), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(limit), refusal.getMessage());
    }

    @Test
    void givenTpcTotalWithoutNouveauTable_whenChecked_thenErrorListsValidTotals() {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> Board.checkShape(List.of(3, 3)));

        assertTrue(refusal.getMessage().contains("tpcs=6"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("expected one of"), refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"true, true, 0", "false, true, 768", "true, false, 1", "false, false, 769"})
    void givenFusedOffUnits_whenFusesAreRead_thenFusesMatchBoard(
            boolean copyEngines, boolean display, int disabled) {
        Board board = Board.of(512, QUADRO_6000, copyEngines, display);
        RegisterBench bench = new RegisterBench(new BoardUnit(board));

        assertEquals(disabled, bench.read(Punits.HW_MISC_DISABLE));
    }

    private static final class NoTranslations implements PffbUnit.Translations {
        @Override
        public void bigPagesOf64KiB(boolean chosen) {}

        @Override
        public boolean flush(int vspace, int trigger) {
            return true;
        }
    }
}
