package io.gpuvm.ptx.emit;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Encodes instructions by the instruction table. Confined to one thread.
public final class Encoder {
    /// Register that reads as zero and discards results.
    public static final int ZERO = 63;

    /// Predicate that is always true.
    public static final int TRUE = 7;

    private static final Field[] REGISTERS = {
        Field.DST,
        Field.SRC_A,
        Field.SRC_B,
        Field.SRC_C,
        Field.DATA,
        Field.SWAP,
        Field.BARRIER_REGISTER,
        Field.THREADS_REGISTER
    };

    private static final Field[] PREDICATES = {
        Field.PDST, Field.PDST_2, Field.PSRC, Field.PSRC_A, Field.PSRC_B
    };

    /// Fields whose value 0 differs from the value that the assembler's text omits.
    private static final Field[] EXPLICIT = {
        Field.SIGNED,
        Field.SIGNED_A,
        Field.SIGNED_B,
        Field.SIZE,
        Field.PART_A,
        Field.PART_B,
        Field.VIDEO_RESULT
    };

    /// Kinds of operands that select a form.
    private enum Kind {
        NONE,
        REGISTER,
        CONSTANT,
        LITERAL
    }

    private record Key(
            Opcode opcode,
            Modifiers modifiers,
            Kind b,
            Kind c,
            int slots,
            boolean carries,
            boolean decides) {}

    /// Form, and a word with all fields but the operands.
    private record Choice(Form form, long word) {}

    private final Map<Key, List<Choice>> choices = new HashMap<>();

    /// Returns whether an instruction has an encoding with its operands.
    public boolean fits(IrInstruction instruction) {
        return choice(instruction) != null;
    }

    /// Returns the word of an instruction whose registers are allocated. Addresses of symbols are
    /// zero in the word.
    ///
    /// @param target distance of a branch in bytes, or 0
    /// @throws IllegalStateException if the instruction has no encoding
    public long encode(IrInstruction instruction, int target) {
        Choice choice = choice(instruction);
        if (choice == null) {
            throw new IllegalStateException("no encoding of " + instruction);
        }
        Form form = choice.form;
        long word = choice.word;
        Field predicate = Field.PDST;
        for (Value result : instruction.results()) {
            if (result.isWord()) {
                word = form.set(Field.DST, result.register(), word);
            } else if (result.isPredicate()) {
                word = form.set(predicate, result.register(), word);
                predicate = Field.PDST_2;
            }
        }
        for (Use use : instruction.uses()) {
            word = set(form, use, word);
        }
        if (target != 0 || form.has(Field.TARGET)) {
            word = form.set(Field.TARGET, target, word);
        }
        return word;
    }

    private static long set(Form form, Use use, long word) {
        Slot slot = use.slot();
        if (slot.isPredicate()) {
            int number = use.operand() instanceof Value value ? value.register() : TRUE;
            boolean isFalse = use.operand() instanceof IrOperand.Literal(int bits) && bits == 0;
            return form.set(
                    slot.inversion(),
                    use.inverted() ^ isFalse ? 1 : 0,
                    form.set(slot.field(), number, word));
        }
        if (slot.field() == null) {
            return word;
        }
        return switch (use.operand()) {
            case Value value -> form.set(slot.field(), value.register(), word);
            case IrOperand.Literal(int bits) ->
                    bits == 0 && form.has(slot.field())
                            ? form.set(slot.field(), ZERO, word)
                            : form.set(Field.IMMEDIATE, bits, word);
            case IrOperand.Constant(int bank, int offset) -> {
                boolean third = slot == Slot.C;
                long with = form.set(third ? Field.C_BANK : Field.B_BANK, bank, word);
                Field place = third ? Field.C_OFFSET : Field.B_OFFSET;
                yield form.set(form.has(place) ? place : Field.OFFSET, offset, with);
            }
            case IrOperand.Address _ -> word;
        };
    }

    private Choice choice(IrInstruction instruction) {
        Use b = instruction.find(Slot.B);
        Use c = instruction.find(Slot.C);
        int slots = 0;
        for (Use use : instruction.uses()) {
            slots |= 1 << use.slot().ordinal();
            boolean free = use.slot() == Slot.B || use.slot() == Slot.C || use.slot().isPredicate();
            if (!free && kind(use) != Kind.REGISTER && use.slot().field() != null) {
                return null;
            }
        }
        Value carry = instruction.result(Value.Kind.CARRY);
        boolean decides = instruction.result(Value.Kind.PREDICATE) != null;
        Kind kindC = kind(c);
        for (Kind kindB = kind(b); ; kindB = Kind.LITERAL) {
            for (Opcode opcode = instruction.opcode(); opcode != null; opcode = longer(opcode)) {
                Key key =
                        new Key(
                                opcode,
                                instruction.modifiers(),
                                kindB,
                                kindC,
                                slots,
                                carry != null,
                                decides);
                for (Choice choice : choices.computeIfAbsent(key, Encoder::find)) {
                    if (suits(choice.form, kindB, b) && suits(choice.form, kindC, c)) {
                        return choice;
                    }
                }
            }
            if (kindB != Kind.REGISTER || b.operand() instanceof Value) {
                return null;
            }
        }
    }

    /// Returns the variant of an operation with an immediate of 32 bits, or null.
    private static Opcode longer(Opcode opcode) {
        return switch (opcode) {
            case MOV -> Opcode.MOV32I;
            case IADD -> Opcode.IADD32I;
            case IMUL -> Opcode.IMUL32I;
            case ISCADD -> Opcode.ISCADD32I;
            case LOP -> Opcode.LOP32I;
            case FADD -> Opcode.FADD32I;
            case FMUL -> Opcode.FMUL32I;
            default -> null;
        };
    }

    /// Returns the kind of an operand. Zero is a register.
    private static Kind kind(Use use) {
        if (use == null) {
            return Kind.NONE;
        }
        return switch (use.operand()) {
            case Value _ -> Kind.REGISTER;
            case IrOperand.Literal(int bits) -> bits == 0 ? Kind.REGISTER : Kind.LITERAL;
            case IrOperand.Constant _ -> Kind.CONSTANT;
            case IrOperand.Address _ -> Kind.LITERAL;
        };
    }

    private static boolean suits(Form form, Kind kind, Use use) {
        return switch (kind) {
            case NONE, REGISTER -> true;
            case LITERAL ->
                    use.operand() instanceof IrOperand.Literal(int bits)
                            ? form.fits(Field.IMMEDIATE, bits)
                            : form.width(Field.IMMEDIATE) == Integer.SIZE;
            case CONSTANT -> {
                IrOperand.Constant constant = (IrOperand.Constant) use.operand();
                boolean third = use.slot() == Slot.C;
                Field place = third ? Field.C_OFFSET : Field.B_OFFSET;
                yield form.fits(third ? Field.C_BANK : Field.B_BANK, constant.bank())
                        && form.fits(form.has(place) ? place : Field.OFFSET, constant.offset());
            }
        };
    }

    private static List<Choice> find(Key key) {
        List<Choice> found = new ArrayList<>();
        for (Form form : InstructionTable.forms(key.opcode)) {
            Long word = matches(form, key) ? word(form, key) : null;
            if (word != null) {
                found.add(new Choice(form, word));
            }
        }
        return found;
    }

    private static boolean matches(Form form, Key key) {
        boolean b =
                switch (key.b) {
                    case NONE -> true;
                    case REGISTER -> form.has(Field.SRC_B);
                    case CONSTANT -> form.has(Field.B_BANK);
                    case LITERAL -> form.has(Field.IMMEDIATE);
                };
        boolean c =
                switch (key.c) {
                    case NONE, REGISTER -> key.c == Kind.NONE || form.has(Field.SRC_C);
                    case CONSTANT -> form.has(Field.C_BANK);
                    case LITERAL -> false;
                };
        if (!b || !c || form.isConstant(Field.DST) || key.decides && form.isConstant(Field.PDST)) {
            return false;
        }
        if (key.c == Kind.REGISTER && form.has(Field.DST) && isTied(form)) {
            return false;
        }
        for (Slot slot : Slot.values()) {
            boolean used = (key.slots & 1 << slot.ordinal()) != 0;
            boolean free = slot == Slot.B || slot == Slot.C || slot.field() == null;
            if (used && !free && !form.has(slot.field())) {
                return false;
            }
        }
        return !key.carries || form.has(Field.CC_OUT);
    }

    /// Returns whether the third source is the register of the result.
    private static boolean isTied(Form form) {
        return switch (form.opcode()) {
            case FFMA32I, IMAD32I -> true;
            default -> false;
        };
    }

    /// Returns a word with the modifiers, or null if the form does not have them.
    private static Long word(Form form, Key key) {
        Modifiers modifiers = key.modifiers;
        for (int i = 0; i < modifiers.count(); i++) {
            if (!form.has(modifiers.field(i))) {
                return null;
            }
        }
        long word = form.template();
        for (Field field : form.fields()) {
            if (form.isConstant(field)) {
                int expected = field == Field.PDST ? TRUE : modifiers.get(field);
                if (form.get(field, word) != expected) {
                    return null;
                }
            } else if (modifiers.get(field) != 0 || Arrays.asList(EXPLICIT).contains(field)) {
                if (!form.fits(field, modifiers.get(field))) {
                    return null;
                }
                word = form.set(field, modifiers.get(field), word);
            }
        }
        word = fill(form, REGISTERS, ZERO, word);
        word = fill(form, PREDICATES, TRUE, word);
        if (key.carries) {
            word = form.set(Field.CC_OUT, 1, word);
        }
        if ((key.slots & 1 << Slot.CARRY.ordinal()) != 0) {
            if (!form.has(Field.CARRY_IN)) {
                return null;
            }
            word = form.set(Field.CARRY_IN, 1, word);
        }
        return word;
    }

    private static long fill(Form form, Field[] fields, int value, long word) {
        long filled = word;
        for (Field field : fields) {
            if (form.has(field) && !form.isConstant(field)) {
                filled = form.set(field, value, filled);
            }
        }
        return filled;
    }
}
