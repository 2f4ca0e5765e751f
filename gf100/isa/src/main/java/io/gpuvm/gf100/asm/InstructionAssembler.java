package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Finds the word for an instruction: the word of the first form, in the order of the table, that
/// can represent the complete instruction. If no form of the operation can represent the
/// instruction, the forms of the variant with a 32-bit immediate are tried.
final class InstructionAssembler {
    private static final String WIDE = "32I";

    private static final Map<String, Opcode> OPCODES =
            Arrays.stream(Opcode.values()).collect(Collectors.toMap(Opcode::name, one -> one));

    private InstructionAssembler() {}

    /// @param address bytes from the start of the code to the instruction
    /// @param names function that returns the value of a name, or null if the name is undefined
    /// @throws SourceException if no form can represent the instruction
    static long assemble(Statement written, int address, Function<String, Value> names) {
        Statement statement = Shorthand.expand(written);
        Opcode opcode = OPCODES.get(statement.operation());
        if (opcode == null || InstructionTable.forms(opcode).isEmpty()) {
            throw SourceException.expected(statement.mnemonic(), "an instruction");
        }
        Long word = find(opcode, statement, address, names, new Mismatch(false));
        if (word != null) {
            return word;
        }
        Mismatch mismatch = new Mismatch(true);
        find(opcode, statement, address, names, mismatch);
        throw mismatch.exception();
    }

    private static Long find(
            Opcode opcode,
            Statement statement,
            int address,
            Function<String, Value> names,
            Mismatch mismatch) {
        OperandMatcher operands = new OperandMatcher(address, names, mismatch);
        Long word = first(InstructionTable.forms(opcode), statement, operands, mismatch);
        Opcode wide = OPCODES.get(opcode.name() + WIDE);
        return word != null || wide == null
                ? word
                : first(InstructionTable.forms(wide), statement, operands, mismatch);
    }

    private static Long first(
            List<Form> forms, Statement statement, OperandMatcher operands, Mismatch mismatch) {
        for (Form form : forms) {
            Long word = new FormMatcher(form, statement, operands, mismatch).match();
            if (word != null) {
                return word;
            }
        }
        return null;
    }
}
