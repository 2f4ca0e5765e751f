package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.reg.Punits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoardTest {
    private static final List<Integer> QUADRO_6000 = List.of(4, 4, 3, 3);

    @ParameterizedTest
    @CsvSource({"6144, 6, 1024", "512, 4, 128", "256, 4, 64", "320, 5, 64", "67, 1, 67"})
    void givenASize_whenSplit_thenPartitionsAreEqualAndAsManyAsPossible(
            long mib, int partitions, int each) {
        Board board = Board.of(mib, QUADRO_6000, true, true);

        assertEquals(partitions, board.partitions());
        assertEquals(each, board.partitionMib());
        assertEquals(mib, board.vramMib());
    }

    @Test
    void givenATotalThatNouveauWarnsOf_whenChecked_thenItIsRefusedWithTheChoices() {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> Board.checkShape(List.of(3, 3)));

        assertTrue(refusal.getMessage().contains("is 6 TPCs"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("limit="), refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"true, true, 0", "false, true, 768", "true, false, 1", "false, false, 769"})
    void givenUnitsThatAreFusedOff_whenAsked_thenTheFusesSaySo(
            boolean copyEngines, boolean display, int disabled) {
        Board board = Board.of(512, QUADRO_6000, copyEngines, display);
        RegisterBench bench = new RegisterBench(new BoardUnit(board));

        assertEquals(disabled, bench.read(Punits.HW_MISC_DISABLE));
    }
}
