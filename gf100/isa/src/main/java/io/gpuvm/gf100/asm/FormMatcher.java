package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.ConditionCode;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Operand;
import java.util.List;

/// Tries to encode a statement as a word of a form.
final class FormMatcher {
    private final Form form;
    private final Statement statement;
    private final OperandMatcher operands;
    private final Mismatch mismatch;

    FormMatcher(Form form, Statement statement, OperandMatcher operands, Mismatch mismatch) {
        this.form = form;
        this.statement = statement;
        this.operands = operands;
        this.mismatch = mismatch;
    }

    /// Returns the word, or null if the form cannot represent the statement.
    Long match() {
        Encoding guarded = guard(Encoding.start(form));
        if (guarded == null) {
            return null;
        }
        Encoding modified =
                new ModifierMatcher(mismatch)
                        .match(
                                form.modifiers(),
                                statement.mnemonic(),
                                statement.operation().length(),
                                guarded);
        return modified == null ? null : match(0, 0, modified);
    }

    private Encoding guard(Encoding encoding) {
        if (form.has(Field.PREDICATE)) {
            Encoding result = encoding.with(Field.PREDICATE, statement.guard(), statement.start());
            return result.with(
                    Field.PREDICATE_NOT, statement.guardNot() ? 1 : 0, statement.start());
        }
        boolean always = statement.guard() == ReservedNames.TRUE_PREDICATE && !statement.guardNot();
        return always
                ? encoding
                : mismatch.at(statement.start(), () -> "no predicate before this instruction");
    }

    /// Matches the operands, starting at `operandIndex`, with the arguments, starting at
    /// `argumentIndex`.
    private Long match(int operandIndex, int argumentIndex, Encoding encoding) {
        List<Argument> arguments = statement.arguments();
        if (operandIndex == form.operands().size()) {
            return argumentIndex == arguments.size()
                    ? finish(encoding)
                    : mismatch.at(arguments.get(argumentIndex).token(), () -> "no more operands");
        }
        Operand operand = form.operands().get(operandIndex);
        if (argumentIndex < arguments.size()) {
            Encoding matched = operands.match(operand, arguments.get(argumentIndex), encoding);
            Long word =
                    matched == null ? null : match(operandIndex + 1, argumentIndex + 1, matched);
            if (word != null) {
                return word;
            }
        }
        Encoding without = leftOut(operand, encoding);
        if (without != null) {
            return match(operandIndex + 1, argumentIndex, without);
        }
        return argumentIndex < arguments.size()
                ? null
                : mismatch.at(statement.end(), () -> operands.describe(operand, form));
    }

    /// Returns the encoding with the default of an omitted operand, or null if the operand is
    /// mandatory.
    private Encoding leftOut(Operand operand, Encoding encoding) {
        return switch (operand) {
            case Operand.Condition(var test, var optional) when optional ->
                    encoding.with(test, ConditionCode.T.ordinal(), statement.end());
            case Operand.Predicate(var number, var not) when mayBeLeftOut(number) -> {
                Encoding result =
                        encoding.with(number, ReservedNames.TRUE_PREDICATE, statement.end());
                yield not == null ? result : result.with(not, 0, statement.end());
            }
            default -> null;
        };
    }

    /// Returns whether the text may omit the predicate: the second result of a comparison, or the
    /// predicate that is combined with the first result.
    private boolean mayBeLeftOut(Field predicate) {
        return predicate == Field.PDST_2 || predicate == Field.PSRC && form.has(Field.LOGIC);
    }

    private Long finish(Encoding encoding) {
        Encoding.Assignment lost = encoding.lost();
        if (lost != null) {
            return mismatch.almost(
                    lost.token(), "the value that another operand gives to the same bits");
        }
        if (InstructionTable.find(encoding.word()) != form) {
            return mismatch.almost(
                    statement.mnemonic(), "another combination of signs and modifiers");
        }
        return encoding.word();
    }
}
