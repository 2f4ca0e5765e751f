package io.gpuvm.softgpu.sm.flow;

/// Set of values of a thread: general registers, predicates and bits of the condition code.
///
/// @param registers a bit for each of the 63 writable registers
/// @param predicates a bit for each of the seven writable predicates
/// @param conditions [#ZERO], [#SIGN], [#CARRY] and [#OVERFLOW]
public record ThreadValues(long registers, int predicates, int conditions) {
    /// Bit of [#conditions] for the zero flag. P2R numbers the flags in the same way.
    public static final int ZERO = 1;

    /// Bit of [#conditions] for the sign flag.
    public static final int SIGN = 2;

    /// Bit of [#conditions] for the carry flag.
    public static final int CARRY = 4;

    /// Bit of [#conditions] for the overflow flag.
    public static final int OVERFLOW = 8;

    public static final int ALL_CONDITIONS = ZERO | SIGN | CARRY | OVERFLOW;
    public static final int ALL_PREDICATES = 0x7f;
    public static final long ALL_REGISTERS = Long.MAX_VALUE;

    public static final ThreadValues NONE = new ThreadValues(0, 0, 0);
    public static final ThreadValues ALL =
            new ThreadValues(ALL_REGISTERS, ALL_PREDICATES, ALL_CONDITIONS);

    /// @param number 0 to 62
    public boolean hasRegister(int number) {
        return (registers >>> number & 1) != 0;
    }

    /// @param number 0 to 6
    public boolean hasPredicate(int number) {
        return (predicates >>> number & 1) != 0;
    }

    public boolean isEmpty() {
        return registers == 0 && predicates == 0 && conditions == 0;
    }

    public ThreadValues or(ThreadValues other) {
        return new ThreadValues(
                registers | other.registers,
                predicates | other.predicates,
                conditions | other.conditions);
    }

    public ThreadValues and(ThreadValues other) {
        return new ThreadValues(
                registers & other.registers,
                predicates & other.predicates,
                conditions & other.conditions);
    }

    public ThreadValues minus(ThreadValues other) {
        return new ThreadValues(
                registers & ~other.registers,
                predicates & ~other.predicates,
                conditions & ~other.conditions);
    }
}
