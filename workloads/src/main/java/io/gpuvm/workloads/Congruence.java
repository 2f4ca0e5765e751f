package io.gpuvm.workloads;

/// One or several steps of a linear congruential generator: `x -> x * multiplier + increment`
/// modulo 2^32.
record Congruence(int multiplier, int increment) {
    /// Zero steps: the identity.
    static final Congruence NONE = new Congruence(1, 0);

    /// Step that the kernels execute, of a generator with the full period ("Numerical Recipes").
    static final Congruence STEP = new Congruence(1664525, 1013904223);

    int apply(int x) {
        return x * multiplier + increment;
    }

    /// Returns the composition that applies this function, then `next`.
    Congruence then(Congruence next) {
        return new Congruence(multiplier * next.multiplier, next.apply(increment));
    }

    /// Returns `count` applications of this function as one function. Takes time logarithmic in
    /// `count`.
    Congruence times(int count) {
        Congruence result = NONE;
        Congruence power = this;
        for (int rest = count; rest > 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = result.then(power);
            }
            power = power.then(power);
        }
        return result;
    }
}
