package io.gpuvm.gf100.asm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.RandomWords;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ListingTest {
    private static final String MODULE =
            """
            .arch sm_21
            .width 32
            .constant 2
            first: .long 1, 2, 3, 4, 5
            second:
                .space 100
                .byte 1, 2, 3

            .kernel "odd \\"name\\" \\u00e4"
                .param a, 8
                .param b, 4, 20
                .param d, 2
                .registers 20
                .barriers 3
                .shared 100
                .local 8
                .stack 64, 32, 1
            top: NOP
                SSY bottom
                @P0 BRA top
                .word 0xffffffffffffffff, 0x8000010000001de7
                BRA 0x4
                BRA bottom
                .constant 16
                .quad 0x1122334455667788
                .text
                EXIT
            bottom:
            .end

            .function helper
                RET
            """;

    @Test
    void givenModule_whenListedAndAssembled_thenFileIsEqual() {
        Cubin cubin = Assembler.assemble("module", MODULE);

        String listing = Listing.of(cubin, _ -> true);

        assertArrayEquals(
                cubin.toBytes(), Assembler.assemble("listing", listing).toBytes(), listing);
    }

    @Test
    void givenBranch_whenListed_thenTargetHasLabel() {
        String listing = Listing.of(bytes(Assembler.code("test", "l: NOP\nEXIT\nBRA l\n")));

        assertEquals(
                """
                .L_0000:
                        /*0000*/  NOP;                                                 /* 0x4000000000001de4 */
                        /*0008*/  EXIT;                                                /* 0x8000000000001de7 */
                        /*0010*/  BRA .L_0000;                                         /* 0x4003ffffa0001de7 */
                """,
                listing);
    }

    @Test
    void givenRandomWords_whenListedAndAssembled_thenWordsAreEqual() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RandomWords words = new RandomWords(seed);
        for (Form form : InstructionTable.forms()) {
            long[] code = {
                words.next(form), random.nextLong(), form.template() | random.nextLong()
            };

            String listing = Listing.of(bytes(code));

            assertArrayEquals(code, Assembler.code("listing", listing), "seed=" + seed + listing);
        }
    }

    @Test
    void givenDamagedCubin_whenListed_thenResultIsSourceOrException() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] whole = Assembler.assemble("module", MODULE).toBytes();
        int listed = 0;
        for (int i = 0; i < 3_000; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            try {
                String listing = Listing.of(Cubin.read(changed), _ -> true);
                Assembler.assemble("listing", listing);
                listed++;
            } catch (CubinException | IllegalArgumentException e) {
                // A damaged file cannot be listed.
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + ", file=" + i, e);
            }
        }
        assertTrue(listed > 0, "seed=" + seed);
    }

    @Test
    void givenHalfInstruction_whenListed_thenErrorHasSize() {
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Listing.of(MemorySegment.ofArray(new byte[12])));

        assertEquals("bytes=12, expected a multiple of 8", e.getMessage());
    }

    @Test
    void givenUnselectedFunction_whenListed_thenFunctionIsOmitted() {
        String listing = Listing.of(Assembler.assemble("module", MODULE), CubinFunction::kernel);

        assertTrue(listing.contains(".kernel"));
        assertTrue(!listing.contains(".function"));
    }

    private static MemorySegment bytes(long[] words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(words);
        return MemorySegment.ofArray(bytes.array());
    }
}
