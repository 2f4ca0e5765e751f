package io.gpuvm.softgpu.sm;

/// Fused multiply-adds of floats, with some additions and multiplications, in plain Java: see
/// [ArithmeticLoop].
///
/// Methods `arraysN` execute each round for all threads; methods `threadsN` execute all rounds for
/// one thread after another. N is the kernel's number of instructions per round.
final class FloatLoops {
    private static final float HALF = 0.5f;
    private static final float QUARTER = 0.25f;

    private FloatLoops() {}

    static void arrays4(float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < third.length; t++) {
                float f = third[t];
                float g = fourth[t];
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads4(float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < third.length; t++) {
            float f = third[t];
            float g = fourth[t];
            for (int round = 0; round < rounds; round++) {
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
            }
            third[t] = f;
            fourth[t] = g;
        }
    }

    static void arrays10(float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < third.length; t++) {
                float f = third[t];
                float g = fourth[t];
                float h;
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads10(float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < third.length; t++) {
            float f = third[t];
            float g = fourth[t];
            float h;
            for (int round = 0; round < rounds; round++) {
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
            }
            third[t] = f;
            fourth[t] = g;
        }
    }

    static void arrays20(float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < third.length; t++) {
                float f = third[t];
                float g = fourth[t];
                float h;
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads20(float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < third.length; t++) {
            float f = third[t];
            float g = fourth[t];
            float h;
            for (int round = 0; round < rounds; round++) {
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
            }
            third[t] = f;
            fourth[t] = g;
        }
    }

    static void arrays40(float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < third.length; t++) {
                float f = third[t];
                float g = fourth[t];
                float h;
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads40(float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < third.length; t++) {
            float f = third[t];
            float g = fourth[t];
            float h;
            for (int round = 0; round < rounds; round++) {
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
                f = Math.fma(f, HALF, QUARTER);
                g = Math.fma(g, QUARTER, f);
                f = Math.fma(f, QUARTER, g);
                g = Math.fma(g, HALF, QUARTER);
                h = f * QUARTER;
                g = g - h;
                f = Math.fma(g, QUARTER, h);
                h = f + g;
                g = Math.fma(h, QUARTER, g);
                f = Math.fma(h, QUARTER, f);
            }
            third[t] = f;
            fourth[t] = g;
        }
    }
}
