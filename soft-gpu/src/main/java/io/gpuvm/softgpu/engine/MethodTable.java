package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MethodRange;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.util.Arrays;
import java.util.List;

/// Handling of each method of a class, by number. Built once per class.
final class MethodTable {
    /// Handling of a method by a class.
    enum Kind {
        /// Method that the class does not have.
        UNKNOWN,
        /// Method whose data is stored, for use by other methods.
        STORED,
        /// Method whose data is stored, but has no effect.
        WITHOUT_EFFECT,
        /// Method whose data is stored and that has an effect.
        ACTING
    }

    private static final int METHODS = (MethodHeader.METHOD_MASK >>> 2) + 1;

    private final Kind[] kinds;
    private final int[] allowed;

    private MethodTable(Builder builder) {
        kinds = builder.kinds.clone();
        allowed = builder.allowed.clone();
    }

    static Builder builder() {
        return new Builder();
    }

    /// Returns the handling of a method.
    Kind kind(int method) {
        return kinds[method >>> 2];
    }

    /// Returns whether the data has only valid bits.
    boolean allows(int method, int data) {
        return (data & ~allowed[method >>> 2]) == 0;
    }

    /// Returns the number of words that hold the data of all methods.
    int words() {
        return METHODS;
    }

    /// Collects rows; a later row replaces an earlier one.
    static final class Builder {
        private final Kind[] kinds = new Kind[METHODS];
        private final int[] allowed = new int[METHODS];

        private Builder() {
            Arrays.fill(kinds, Kind.UNKNOWN);
            Arrays.fill(allowed, -1);
        }

        /// Declares that the data of the methods from `first` to `last` is stored.
        Builder stores(int first, int last) {
            return rows(Kind.STORED, first, last);
        }

        /// Declares methods whose data is stored.
        Builder stores(List<MethodRange> ranges) {
            for (MethodRange range : ranges) {
                for (int i = 0; i < range.count(); i++) {
                    int from = i * range.strideBytes();
                    stores(range.first() + from, range.last() + from);
                }
            }
            return this;
        }

        /// Declares methods whose data is stored; only the bits of `mask` may be set.
        Builder storesBits(int mask, int... methods) {
            for (int method : methods) {
                allowed[method >>> 2] = mask;
                rows(Kind.STORED, method, method);
            }
            return this;
        }

        /// Declares that the data of the methods from `first` to `last` is stored without effect.
        Builder ignores(int first, int last) {
            return rows(Kind.WITHOUT_EFFECT, first, last);
        }

        /// Declares methods that have an effect.
        Builder acts(int... methods) {
            for (int method : methods) {
                rows(Kind.ACTING, method, method);
            }
            return this;
        }

        /// Declares that the methods from `first` to `last` have an effect.
        Builder actsFrom(int first, int last) {
            return rows(Kind.ACTING, first, last);
        }

        MethodTable build() {
            return new MethodTable(this);
        }

        private Builder rows(Kind kind, int first, int last) {
            Arrays.fill(kinds, first >>> 2, (last >>> 2) + 1, kind);
            return this;
        }
    }
}
