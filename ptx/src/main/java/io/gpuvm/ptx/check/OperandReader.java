package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ExpressionTree;
import io.gpuvm.ptx.syntax.OperandTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.List;
import java.util.Locale;

/// Resolves single operands in the current scope of a function.
final class OperandReader {
    /// Discarded result, which all instructions share.
    static final PtxOperand.Discard DISCARD = new PtxOperand.Discard();

    private final ModuleContext module;
    private final RegisterList registers;
    private final ConstantEvaluator constants;
    private NameScope scope;

    OperandReader(ModuleContext module, RegisterList registers, NameScope scope) {
        this.module = module;
        this.registers = registers;
        this.scope = scope;
        constants = new ConstantEvaluator(this::find);
    }

    NameScope scope() {
        return scope;
    }

    void enter(NameScope inner) {
        scope = inner;
    }

    ConstantEvaluator constants() {
        return constants;
    }

    RegisterList registers() {
        return registers;
    }

    /// Returns the meaning of a name, which may be the component of a vector, or null.
    Named find(String name) {
        Named named = scope.find(name, registers);
        int dot = name.indexOf('.');
        if (named == null
                && dot > 0
                && scope.find(name.substring(0, dot), registers)
                        instanceof Named.Components vector) {
            return vector.part(name.substring(dot));
        }
        return named;
    }

    /// Returns the operands of a vector: in braces, or a vector register.
    ///
    /// @return null if the operand is not a vector
    List<? extends OperandTree> parts(OperandTree tree) {
        if (tree instanceof OperandTree.Vector vector) {
            return vector.parts();
        }
        if (tree instanceof ExpressionTree.Name name
                && find(name.name()) instanceof Named.Components vector) {
            return vector.parts().stream()
                    .map(part -> new ExpressionTree.Name(name.position(), part.register().name()))
                    .toList();
        }
        return null;
    }

    /// Returns the register that an instruction writes.
    ///
    /// @param wider whether the register may be wider than the type
    PtxOperand result(OperandTree tree, PtxType type, boolean wider) {
        if (tree instanceof OperandTree.Discard) {
            return DISCARD;
        }
        if (tree instanceof ExpressionTree.Name name) {
            return register(name, type, wider);
        }
        throw new CheckException(tree.position(), "expected a register of type ." + type.word());
    }

    /// Returns a register.
    PtxOperand.Register register(ExpressionTree.Name name, PtxType type, boolean wider) {
        Named named = find(name.name());
        if (named instanceof Named.Scalar scalar) {
            check(name, scalar.register(), type, wider);
            return scalar.operand();
        }
        throw noRegister(name, named, type);
    }

    /// Returns a value: a register, special register or constant.
    PtxOperand source(OperandTree tree, PtxType type, boolean wider) {
        if (tree instanceof ExpressionTree.Name name) {
            Named named = find(name.name());
            if (named instanceof Named.Scalar scalar) {
                check(name, scalar.register(), type, wider);
                return scalar.operand();
            }
            if (named == null) {
                PtxOperand.Special special = SpecialRegisters.operand(name.name());
                if (special != null) {
                    checkSpecial(name, special, type);
                    return special;
                }
                if (!name.name().equals("WARP_SZ")) {
                    throw noRegister(name, null, type);
                }
            }
        }
        if (tree instanceof ExpressionTree expression) {
            Constant value = constants.evaluate(expression);
            if (value instanceof Constant.Address) {
                throw new CheckException(
                        tree.position(), "expected a value of type ." + type.word());
            }
            return new PtxOperand.Immediate(Immediates.bits(tree.position(), value, type), type);
        }
        throw new CheckException(tree.position(), "expected a value of type ." + type.word());
    }

    /// Returns a value or the address of a symbol.
    PtxOperand sourceOrAddress(OperandTree tree, PtxType type) {
        boolean address = type.bits() >= Integer.SIZE && !type.isFloat();
        if (address && tree instanceof OperandTree.Subscript subscript) {
            PtxOperand.Memory element = subscript(subscript);
            return new PtxOperand.Address(element.variable(), element.offset());
        }
        if (address
                && tree instanceof ExpressionTree expression
                && isSymbolic(expression)
                && constants.evaluate(expression) instanceof Constant.Address found) {
            if (found.generic() || found.mask() != -1) {
                throw new CheckException(tree.position(), "expected a symbol without operator");
            }
            return new PtxOperand.Address(found.symbol(), found.offset());
        }
        return source(tree, type, false);
    }

    /// Returns whether an expression begins with the name of a symbol.
    private boolean isSymbolic(ExpressionTree tree) {
        return switch (tree) {
            case ExpressionTree.Name name -> {
                Named named = find(name.name());
                yield named instanceof Named.Variable || named instanceof Named.Function;
            }
            case ExpressionTree.Binary binary -> isSymbolic(binary.left());
            default -> false;
        };
    }

    /// Returns the number of a constant operand.
    long whole(OperandTree tree, String what, long least, long greatest) {
        if (tree instanceof ExpressionTree expression) {
            return constants.whole(expression, what, least, greatest);
        }
        throw new CheckException(tree.position(), "expected a constant integer");
    }

    /// Returns the predicate that an instruction reads, maybe negated, or a constant.
    PtxOperand predicate(OperandTree tree) {
        if (tree instanceof ExpressionTree.Unary unary
                && unary.operator().equals("!")
                && unary.operand() instanceof ExpressionTree.Name name) {
            return new PtxOperand.Not(register(name, PtxType.PRED, false).register());
        }
        return source(tree, PtxType.PRED, false);
    }

    /// Returns the memory operand of an instruction.
    PtxOperand.Memory memory(OperandTree tree, PtxSpace space) {
        PtxOperand.Memory memory =
                switch (tree) {
                    case OperandTree.Subscript subscript -> subscript(subscript);
                    case OperandTree.Address address when address.parts().size() == 1 ->
                            address(address.parts().getFirst());
                    default -> throw new CheckException(tree.position(), "expected an address");
                };
        if (memory.variable() != null) {
            checkSpace(tree.position(), memory.variable(), space);
        }
        return memory;
    }

    private PtxOperand.Memory address(OperandTree tree) {
        return switch (tree) {
            case ExpressionTree.Name name when find(name.name()) instanceof Named.Scalar base ->
                    new PtxOperand.Memory(base(name, base), null, 0);
            case ExpressionTree.Binary sum
                    when sum.left() instanceof ExpressionTree.Name name
                            && find(name.name()) instanceof Named.Scalar base ->
                    new PtxOperand.Memory(base(name, base), null, offset(sum));
            case OperandTree.Subscript subscript -> subscript(subscript);
            case ExpressionTree expression ->
                    switch (constants.evaluate(expression)) {
                        case Constant.Whole whole ->
                                new PtxOperand.Memory(null, null, whole.value());
                        case Constant.Address found
                                when found.symbol() instanceof PtxVariable variable
                                        && !found.generic()
                                        && found.mask() == -1 ->
                                new PtxOperand.Memory(null, variable, found.offset());
                        default ->
                                throw new CheckException(
                                        tree.position(), "expected an address in memory");
                    };
            default -> throw new CheckException(tree.position(), "expected an address in memory");
        };
    }

    /// Returns whether an operand is the sum or difference of a register and something else.
    boolean isOffset(OperandTree tree) {
        return tree instanceof ExpressionTree.Binary sum
                && sum.left() instanceof ExpressionTree.Name name
                && find(name.name()) instanceof Named.Scalar;
    }

    /// Returns the constant that a sum adds to its left side.
    long offset(ExpressionTree.Binary sum) {
        long value = constants.whole(sum.right());
        return switch (sum.operator()) {
            case "+" -> value;
            case "-" -> -value;
            default ->
                    throw new CheckException(
                            sum.position(), "address: expected '+' or '-' after the register");
        };
    }

    private static PtxRegister base(ExpressionTree.Name name, Named.Scalar base) {
        PtxRegister register = base.register();
        PtxType type = register.type();
        if (type.bits() < Integer.SIZE || type.isFloat() || type == PtxType.PRED) {
            throw new CheckException(
                    name.position(),
                    "%s has the type .%s: an address has 32 or 64 bits"
                            .formatted(Quotation.of(name.name()), type.word()));
        }
        return register;
    }

    private PtxOperand.Memory subscript(OperandTree.Subscript tree) {
        if (!(find(tree.name()) instanceof Named.Variable named)) {
            throw new CheckException(
                    tree.position(), Quotation.of(tree.name()) + " is not a variable");
        }
        long index = constants.whole(tree.index(), "index", 0, Integer.MAX_VALUE);
        return new PtxOperand.Memory(null, named.variable(), index * named.elementBytes());
    }

    private static void checkSpace(SourcePosition at, PtxVariable variable, PtxSpace space) {
        if (variable.type().kind() == PtxType.Kind.OPAQUE && variable.space() != PtxSpace.PARAM) {
            throw new CheckException(
                    at,
                    "%s has the type .%s: it is not in memory"
                            .formatted(
                                    Quotation.of(variable.sourceName()), variable.type().word()));
        }
        if (space != PtxSpace.GENERIC && variable.space() != space) {
            throw new CheckException(
                    at,
                    "%s is in the space .%s, expected .%s"
                            .formatted(
                                    Quotation.of(variable.sourceName()),
                                    word(variable.space()),
                                    word(space)));
        }
    }

    private static String word(PtxSpace space) {
        return space.name().toLowerCase(Locale.ROOT);
    }

    private static void check(
            ExpressionTree.Name name, PtxRegister register, PtxType type, boolean wider) {
        if (!RegisterTypes.agree(register.type(), type, wider)) {
            throw new CheckException(
                    name.position(),
                    "%s has the type .%s, expected .%s%s"
                            .formatted(
                                    Quotation.of(name.name()),
                                    register.type().word(),
                                    type.word(),
                                    wider ? " or wider" : ""));
        }
    }

    private static void checkSpecial(
            ExpressionTree.Name name, PtxOperand.Special special, PtxType type) {
        int bits = special.register().bits();
        if (type.isFloat() || type == PtxType.PRED || type.bits() > bits) {
            throw new CheckException(
                    name.position(),
                    "%s has %d bits, expected a value of type .%s"
                            .formatted(Quotation.of(name.name()), bits, type.word()));
        }
    }

    private CheckException noRegister(ExpressionTree.Name name, Named named, PtxType type) {
        String quoted = Quotation.of(name.name());
        int newer = SpecialRegisters.newerTarget(name.name());
        String message =
                switch (named) {
                    case null ->
                            newer == 0
                                    ? quoted + " is not declared"
                                    : "%s needs sm_%d; this GPU is sm_%d"
                                            .formatted(name.name(), newer, module.options().gpu());
                    case Named.Components vector ->
                            "%s is a vector: expected a component such as %s.x"
                                    .formatted(quoted, name.name());
                    default -> "%s: expected a register of type .%s".formatted(quoted, type.word());
                };
        return new CheckException(name.position(), message);
    }
}
