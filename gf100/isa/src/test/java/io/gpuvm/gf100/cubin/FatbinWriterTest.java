package io.gpuvm.gf100.cubin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FatbinWriterTest {
    private static final String PTX = ".version 3.0\n.target sm_20\n";

    private static byte[] cubin() {
        return Cubins.everything(ElfClass.ELF64).toBytes();
    }

    @Test
    void givenBothImages_whenRead_thenContentIsCubin() {
        byte[] file = new FatbinWriter().ptx(20, PTX).cubin(20, cubin()).toBytes();

        assertEquals(2, Cubin.read(file).kernels().size());
    }

    @Test
    void givenPtx_whenRead_thenTextIsEqual() {
        for (int blanks = 0; blanks < 9; blanks++) {
            String text = PTX + " ".repeat(blanks);
            byte[] file = new FatbinWriter().ptx(35, text).toBytes();

            assertEquals(0, file.length % 8, "length of the file");
            assertEquals(new ModuleContent.Ptx(text), ModuleContent.of(file));
        }
    }

    @Test
    void givenSectionWithSeveralFatbins_whenSplit_thenAllAreFound() {
        byte[] first = new FatbinWriter().ptx(20, PTX).toBytes();
        byte[] second = new FatbinWriter().cubin(20, cubin()).toBytes();
        byte[] section = Arrays.copyOf(first, first.length + 16 + second.length);
        System.arraycopy(second, 0, section, first.length + 16, second.length);

        List<byte[]> found = Fatbin.split(section);

        assertEquals(2, found.size());
        assertArrayEquals(first, found.get(0));
        assertArrayEquals(second, found.get(1));
    }

    @Test
    void givenSectionWithOtherContents_whenSplit_thenErrorNamesOffset() {
        byte[] first = new FatbinWriter().ptx(20, PTX).toBytes();
        byte[] section = Arrays.copyOf(first, first.length + 3);

        assertEquals(
                "section of fatbins: no fatbin at offset=" + first.length,
                assertThrows(CubinException.class, () -> Fatbin.split(section)).getMessage());
        byte[] truncated = Arrays.copyOf(first, first.length - 1);
        assertThrows(CubinException.class, () -> Fatbin.split(truncated));
    }
}
