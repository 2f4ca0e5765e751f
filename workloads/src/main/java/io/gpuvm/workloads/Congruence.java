package io.gpuvm.workloads;

/// Step of a linear congruential generator, or several of them: `x -> x * multiplier + increment`
/// modulo 2^32.
record Congruence(int multiplier, int increment) {
    /// No step.
    static final Congruence NONE = new Congruence(1, 0);

    /// Step of the kernels, of a generator with the full period, from "Numerical Recipes".
    static final Congruence STEP = new Congruence(1664525, 1013904223);

    int apply(int x) {
        return x * multiplier + increment;
    }

    /// Returns the composition of this function and a following one.
    Congruence then(Congruence next) {
        return new Congruence(multiplier * next.multiplier, next.apply(increment));
    }

    /// Returns this function applied a number of times, in logarithmic time.
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
