package io.gpuvm.gf100.isa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstructionTableTest {
    private static final long SEED = 20_111;
    private static final int WORDS = 200;

    @Test
    void givenRandomFields_whenEncodedAndRead_thenValuesAreEqual() {
        RandomWords words = new RandomWords(SEED);
        for (Form form : InstructionTable.forms()) {
            for (int i = 0; i < WORDS; i++) {
                long word = words.nextFound(form);
                long again = form.template();
                for (Field field : form.fields()) {
                    again = form.set(field, form.get(field, word), again);
                }
                assertEquals(word, again, () -> "seed=" + SEED + ", form=" + form);
            }
        }
    }

    @Test
    void givenForms_whenBitsAreChecked_thenFieldsContainNoFixedBits() {
        for (Form form : InstructionTable.forms()) {
            long seen = form.mask();
            for (Field field : form.fields()) {
                for (int bit = 0; bit < Long.SIZE; bit++) {
                    if (form.width(field) > 0 && form.get(field, 1L << bit) != form.get(field, 0)) {
                        long mask = 1L << bit;
                        assertEquals(
                                0,
                                form.mask() & mask,
                                () -> field + " in the fixed bits of " + form);
                        seen |= mask;
                    }
                }
            }
            assertEquals(0, form.value() & ~form.mask(), form::toString);
            long rest = ~seen;
            assertEquals(form.isCanonical(form.template() ^ rest), rest == 0, form::toString);
        }
    }

    @Test
    void givenTableWithDuplicateForm_whenChecked_thenCheckFails() {
        List<Form> twice = new ArrayList<>(InstructionTable.forms());
        twice.add(twice.getFirst());
        assertThrows(IllegalStateException.class, () -> InstructionTable.checkOverlaps(twice));
    }

    @Test
    void givenInvalidWords_whenSearched_thenNoFormIsFound() {
        assertNull(InstructionTable.find(0xffff_ffff_ffff_ffffL));
        assertNull(InstructionTable.find(0x6000_0000_0000_0006L), "graphics and textures");
        assertNull(InstructionTable.find(0x9200_4000_fc63_dc86L), "a texel of a level");
        assertNull(InstructionTable.find(0x9010_4000_fc63_dc86L), "a texel of two coordinates");
        assertNull(InstructionTable.find(0x8400_0000_0020_1ce5L), "a load of size 7");
        assertNull(InstructionTable.find(0x4800_8000_0400_1c03L), "IADD with operand kind 2");
    }

    @Test
    void givenWordOfTwoForms_whenSearched_thenMoreSpecificFormIsFound() {
        Form sum = InstructionTable.find(0x4800_0000_0400_1c03L);
        Form plusOne = InstructionTable.find(0x4800_0000_0400_1f03L);
        assertNotNull(plusOne);
        assertEquals(Opcode.IADD, plusOne.opcode());
        assertEquals(1, plusOne.get(Field.PLUS_ONE, 0));
        assertTrue(sum.accepts(0x4800_0000_0400_1f03L));
    }

    @Test
    void givenInvalidFieldValue_whenFieldIsSet_thenSetFails() {
        Form form = InstructionTable.find(0x4800_c000_1c00_dc03L);
        assertSame(OperandKind.IMMEDIATE, form.kindB());
        assertThrows(IllegalArgumentException.class, () -> form.set(Field.SRC_C, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> form.set(Field.IMMEDIATE, 1 << 19, 0));
        assertEquals(
                -1 << 19,
                form.get(Field.IMMEDIATE, form.set(Field.IMMEDIATE, -1 << 19, form.template())));
    }

    @Test
    void givenFloatImmediates_whenRead_thenValuesAreUpperBitsOfFloat() {
        Form form = InstructionTable.find(0x5000_cfe0_0010_1c00L);
        assertEquals(Opcode.FADD, form.opcode());
        assertEquals(
                Float.floatToRawIntBits(1.0f), form.get(Field.IMMEDIATE, 0x5000_cfe0_0010_1c00L));
        assertThrows(IllegalArgumentException.class, () -> form.set(Field.IMMEDIATE, 1, 0));
    }
}
