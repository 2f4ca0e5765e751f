package io.gpuvm.softgpu.sm.alu;

/// Tests of condition codes.
public final class Conditions {
    private Conditions() {}

    /// Returns the lanes whose condition code passes a test. Each flag has one bit per lane. Tests
    /// 0 to 15 are comparisons, tests 16 to 23 test flags (envytools
    /// `docs/hw/graph/tesla/cuda/isa.rst`; order of the tests of flags: `envydis/gf100.c`).
    ///
    /// @param code ordinal of [io.gpuvm.gf100.isa.ConditionCode]
    public static int test(int code, int zero, int sign, int carry, int overflow) {
        int less = sign ^ overflow;
        return switch (code) {
            case 0 -> 0;
            case 1 -> sign & ~zero ^ overflow;
            case 2 -> zero & ~sign;
            case 3 -> sign ^ (zero | overflow);
            case 4 -> ~zero & ~less;
            case 5 -> ~zero;
            case 6 -> ~less;
            case 7 -> ~zero | ~sign;
            case 8 -> zero & sign;
            case 9 -> less;
            case 10 -> zero;
            case 11 -> zero | less;
            case 12 -> ~sign ^ (zero | overflow);
            case 13 -> ~zero | sign;
            case 14 -> (~sign | zero) ^ overflow;
            case 16 -> ~overflow;
            case 17 -> ~carry;
            case 18 -> ~sign;
            case 19 -> zero | ~carry;
            case 20 -> ~zero & carry;
            case 21 -> sign;
            case 22 -> carry;
            case 23 -> overflow;
            default -> -1;
        };
    }
}
