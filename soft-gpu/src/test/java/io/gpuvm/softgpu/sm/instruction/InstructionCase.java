package io.gpuvm.softgpu.sm.instruction;

import java.util.ArrayList;
import java.util.List;

/// A few instructions, their inputs, and the expected results.
///
/// Input k of a row is in `R<k>`, result k in `R<16+k>`; there are at most sixteen of each. `{k}`
/// in the text is an operand that can have several encodings: the case is run with the register,
/// with a constant of that value, and with an immediate if it can encode the value. `{kd}` and
/// `{kf}` declare the operand as a double (input k is the lower word, input k + 1 the upper word)
/// or a float.
///
/// The case tests the lines that start with `*`, or the first line if there are none.
final class InstructionCase {
    /// Inputs and expected results of one thread.
    record Row(int[] inputs, int[] results) {}

    /// Word of the constants or of the data area.
    record Word(int offset, int value) {}

    private final String text;
    private final List<Word> constants = new ArrayList<>();
    private final List<Word> dataBefore = new ArrayList<>();
    private final List<Word> dataAfter = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    private InstructionCase(String text) {
        this.text = text;
    }

    static InstructionCase of(String... lines) {
        return new InstructionCase(String.join("\n", lines));
    }

    /// Begins the next row with its inputs; [Inputs#gives(int...)] completes it.
    Inputs with(int... inputs) {
        return results -> {
            rows.add(new Row(inputs, results));
            return this;
        };
    }

    /// Row whose results are missing.
    interface Inputs {
        InstructionCase gives(int... results);
    }

    /// Sets a word of constant bank 0.
    InstructionCase constant(int offset, int value) {
        constants.add(new Word(offset, value));
        return this;
    }

    /// Sets a word of the data area before each run.
    InstructionCase data(int offset, int value) {
        dataBefore.add(new Word(offset, value));
        return this;
    }

    /// Sets the expected value of a word of the data area after each run.
    InstructionCase leaves(int offset, int value) {
        dataAfter.add(new Word(offset, value));
        return this;
    }

    List<Word> constants() {
        return constants;
    }

    List<Word> dataBefore() {
        return dataBefore;
    }

    List<Word> dataAfter() {
        return dataAfter;
    }

    String text() {
        return text;
    }

    List<Row> rows() {
        return rows;
    }

    @Override
    public String toString() {
        return text.replace("\n", "; ");
    }
}
