package io.gpuvm.softgpu.sm;

/// Integer multiply-adds, shifts and bitwise operations in plain Java: see [ArithmeticLoop].
///
/// Methods `arraysN` execute each round for all threads; methods `threadsN` execute all rounds for
/// one thread after another. N is the kernel's number of instructions per round.
final class IntegerLoops {
    private static final int MULTIPLIER = ArithmeticLoop.MULTIPLIER;
    private static final int ADDEND = ArithmeticLoop.ADDEND;
    private static final int MASK = ArithmeticLoop.MASK;

    private IntegerLoops() {}

    static void arrays4(int[] first, int[] second, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                int s;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                first[t] = a;
                second[t] = b;
            }
        }
    }

    static void threads4(int[] first, int[] second, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            int s;
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
            }
            first[t] = a;
            second[t] = b;
        }
    }

    static void arrays10(int[] first, int[] second, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                int s;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                first[t] = a;
                second[t] = b;
            }
        }
    }

    static void threads10(int[] first, int[] second, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            int s;
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
            }
            first[t] = a;
            second[t] = b;
        }
    }

    static void arrays20(int[] first, int[] second, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                int s;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                first[t] = a;
                second[t] = b;
            }
        }
    }

    static void threads20(int[] first, int[] second, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            int s;
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
            }
            first[t] = a;
            second[t] = b;
        }
    }

    static void arrays40(int[] first, int[] second, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < first.length; t++) {
                int a = first[t];
                int b = second[t];
                int s;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                first[t] = a;
                second[t] = b;
            }
        }
    }

    static void threads40(int[] first, int[] second, int rounds) {
        for (int t = 0; t < first.length; t++) {
            int a = first[t];
            int b = second[t];
            int s;
            for (int round = 0; round < rounds; round++) {
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
                a = a * MULTIPLIER + ADDEND;
                s = a >>> 15;
                b = b ^ s;
                b = b + a;
                s = b << 7;
                a = a ^ s;
                b = b * MULTIPLIER + a;
                s = b & MASK;
                a = a + s;
                a = a - b;
            }
            first[t] = a;
            second[t] = b;
        }
    }
}
