package io.gpuvm.ptx.ir;

/// Result of exactly one instruction. Confined to the compilation's thread.
public final class Value implements IrOperand {
    /// Register file of a value.
    public enum Kind {
        /// General registers.
        WORD,
        /// Predicate register.
        PREDICATE,
        /// The condition code's carry, of which only one exists.
        CARRY
    }

    /// Value of [#register()] before allocation.
    public static final int NONE = -1;

    private final int id;
    private final Kind kind;
    private final int words;
    private IrInstruction definition;
    private int register = NONE;

    /// @param id index among the function's values
    /// @param words number of consecutive registers: 1, 2 or 4
    Value(int id, Kind kind, int words) {
        this.id = id;
        this.kind = kind;
        this.words = words;
    }

    /// Returns a value in a register that is not subject to allocation.
    public static Value at(Kind kind, int register) {
        Value value = new Value(NONE, kind, 1);
        value.assign(register);
        return value;
    }

    /// Returns whether the register is not subject to allocation.
    public boolean isFixed() {
        return id == NONE;
    }

    public int id() {
        return id;
    }

    public Kind kind() {
        return kind;
    }

    public int words() {
        return words;
    }

    public boolean isWord() {
        return kind == Kind.WORD;
    }

    public boolean isPredicate() {
        return kind == Kind.PREDICATE;
    }

    /// Returns the instruction that computes the value.
    public IrInstruction definition() {
        return definition;
    }

    void define(IrInstruction by) {
        definition = by;
    }

    /// Returns the first register, or [#NONE] before allocation.
    public int register() {
        return register;
    }

    public void assign(int number) {
        register = number;
    }

    @Override
    public String toString() {
        String name =
                switch (kind) {
                    case WORD -> words == 1 ? "v" : words == 2 ? "w" : "q";
                    case PREDICATE -> "p";
                    case CARRY -> "c";
                };
        return name + id + (register == NONE ? "" : ":" + register);
    }
}
