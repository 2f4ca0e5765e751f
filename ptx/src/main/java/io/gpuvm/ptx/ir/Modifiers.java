package io.gpuvm.ptx.ir;

import io.gpuvm.gf100.isa.Field;
import java.util.Arrays;

/// Fields of an instruction other than its operands, with their values. Immutable. A field that is
/// not listed has the value 0.
public final class Modifiers {
    public static final Modifiers NONE = new Modifiers(new int[0]);
    private static final Field[] FIELDS = Field.values();

    /// Ordinals of the fields and their values, alternating; ascending by ordinal.
    private final int[] pairs;

    private final int hash;

    private Modifiers(int[] pairs) {
        this.pairs = pairs;
        this.hash = Arrays.hashCode(pairs);
    }

    public static Modifiers of(Field field, int value) {
        return NONE.with(field, value);
    }

    /// Returns the modifiers with a field changed.
    public Modifiers with(Field field, int value) {
        int at = 0;
        while (at < pairs.length && pairs[at] < field.ordinal()) {
            at += 2;
        }
        boolean known = at < pairs.length && pairs[at] == field.ordinal();
        int[] fresh;
        if (value == 0) {
            if (!known) {
                return this;
            }
            fresh = new int[pairs.length - 2];
            System.arraycopy(pairs, 0, fresh, 0, at);
            System.arraycopy(pairs, at + 2, fresh, at, pairs.length - at - 2);
            return new Modifiers(fresh);
        }
        if (known) {
            fresh = pairs.clone();
        } else {
            fresh = new int[pairs.length + 2];
            System.arraycopy(pairs, 0, fresh, 0, at);
            System.arraycopy(pairs, at, fresh, at + 2, pairs.length - at);
            fresh[at] = field.ordinal();
        }
        fresh[at + 1] = value;
        return new Modifiers(fresh);
    }

    public Modifiers with(Field flag, boolean value) {
        return with(flag, value ? 1 : 0);
    }

    public Modifiers with(Field field, Enum<?> value) {
        return with(field, value.ordinal());
    }

    public int get(Field field) {
        for (int at = 0; at < pairs.length; at += 2) {
            if (pairs[at] == field.ordinal()) {
                return pairs[at + 1];
            }
        }
        return 0;
    }

    public boolean is(Field flag) {
        return get(flag) != 0;
    }

    public int count() {
        return pairs.length / 2;
    }

    public Field field(int index) {
        return FIELDS[pairs[2 * index]];
    }

    public int value(int index) {
        return pairs[2 * index + 1];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Modifiers that
                && hash == that.hash
                && Arrays.equals(pairs, that.pairs);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count(); i++) {
            text.append('.').append(field(i)).append('=').append(value(i));
        }
        return text.toString();
    }
}
