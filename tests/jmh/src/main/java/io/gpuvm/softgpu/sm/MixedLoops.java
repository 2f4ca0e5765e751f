package io.gpuvm.softgpu.sm;

/// Integers and floats, with a conversion, in plain Java: see [ArithmeticLoop].
///
/// `arrays` executes each round for all threads; `threads` executes all rounds for one thread after
/// another. The number in a name is the kernel's number of instructions per round.
final class MixedLoops {
    private static final int MULTIPLIER = ArithmeticLoop.MULTIPLIER;
    private static final int ADDEND = ArithmeticLoop.ADDEND;
    private static final float HALF = 0.5f;
    private static final float QUARTER = 0.25f;
    private static final float TINY = 0x1p-26f;

    private MixedLoops() {}

    static void arrays4(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                float f = third[t];
                float g = fourth[t];
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                first[t] = a;
                second[t] = b;
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads4(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            float f = third[t];
            float g = fourth[t];
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
            }
            first[t] = a;
            second[t] = b;
            third[t] = f;
            fourth[t] = g;
        }
    }

    static void arrays10(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                float f = third[t];
                float g = fourth[t];
                int s;
                float h;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                first[t] = a;
                second[t] = b;
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads10(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            float f = third[t];
            float g = fourth[t];
            int s;
            float h;
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
            }
            first[t] = a;
            second[t] = b;
            third[t] = f;
            fourth[t] = g;
        }
    }

    static void arrays20(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                float f = third[t];
                float g = fourth[t];
                int s;
                float h;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                first[t] = a;
                second[t] = b;
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads20(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            float f = third[t];
            float g = fourth[t];
            int s;
            float h;
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
            }
            first[t] = a;
            second[t] = b;
            third[t] = f;
            fourth[t] = g;
        }
    }

    static void arrays40(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                float f = third[t];
                float g = fourth[t];
                int s;
                float h;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                first[t] = a;
                second[t] = b;
                third[t] = f;
                fourth[t] = g;
            }
        }
    }

    static void threads40(int[] first, int[] second, float[] third, float[] fourth, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            float f = third[t];
            float g = fourth[t];
            int s;
            float h;
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
                a = a * MULTIPLIER + ADDEND;
                f = Math.fma(f, HALF, QUARTER);
                b = b ^ a;
                g = Math.fma(g, QUARTER, f);
                s = a >>> 8;
                a = a + s;
                h = (float) s;
                f = Math.fma(h, TINY, f);
                g = g * HALF;
                b = b + a;
            }
            first[t] = a;
            second[t] = b;
            third[t] = f;
            fourth[t] = g;
        }
    }
}
