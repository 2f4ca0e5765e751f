package io.gpuvm.gf100.asm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.isa.Disassembler;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.RandomWords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Checks, for every form and random fields, that the disassembler's text of a word assembles to
/// that word.
class InstructionRoundTripTest {
    private static final int WORDS = 300;
    private static final int ADDRESS = 0x4000;
    private static final long SEED = System.nanoTime();

    private static List<Form> forms() {
        return InstructionTable.forms();
    }

    @ParameterizedTest
    @MethodSource("forms")
    void givenRandomWordsOfForm_whenTextIsAssembled_thenWordsAreEqual(Form form) {
        RandomWords words = new RandomWords(SEED);
        for (int i = 0; i < WORDS; i++) {
            long word = words.nextFound(form);
            String text = Disassembler.text(word, ADDRESS);

            String again = assemble(text);

            assertEquals(
                    Long.toHexString(word),
                    again,
                    () -> text + ", form=" + form + ", seed=" + SEED);
        }
    }

    private static String assemble(String text) {
        Tokens tokens = new Tokens(new Lexer("", text, new ArrayList<>()).statements().getFirst());
        try {
            return Long.toHexString(
                    InstructionAssembler.assemble(Statement.parse(tokens), ADDRESS, _ -> null));
        } catch (SourceException e) {
            return e.getMessage();
        }
    }
}
