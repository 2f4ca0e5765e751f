package io.gpuvm.gf100.asm;

import java.util.regex.Pattern;

/// Reserved names of the language.
final class ReservedNames {
    static final int ZERO_REGISTER = 63;
    static final int TRUE_PREDICATE = 7;

    /// Shape of a texture that consists of one line of texels.
    static final String LINEAR = "1D";

    private static final Pattern TAKEN =
            Pattern.compile("R[0-9]+|RZ|P[0-9]+|PT|SR_.*|SR[0-9]+|CC\\..*|1D");
    private static final int MAX_DIGITS = 3;

    private ReservedNames() {}

    /// Returns whether the name is reserved.
    static boolean isTaken(String name) {
        return TAKEN.matcher(name).matches();
    }

    /// Returns the number of a general register, up to 999, or -1 if the name is not a register.
    static int register(String name) {
        return number(name, 'R', 'Z', ZERO_REGISTER);
    }

    /// Returns the number of a predicate register, up to 999, or -1 if the name is not a predicate.
    static int predicate(String name) {
        return number(name, 'P', 'T', TRUE_PREDICATE);
    }

    private static int number(String name, char prefix, char last, int lastNumber) {
        if (name.length() < 2 || name.length() > 1 + MAX_DIGITS || name.charAt(0) != prefix) {
            return -1;
        }
        if (name.length() == 2 && name.charAt(1) == last) {
            return lastNumber;
        }
        int number = 0;
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = 10 * number + c - '0';
        }
        return number;
    }
}
