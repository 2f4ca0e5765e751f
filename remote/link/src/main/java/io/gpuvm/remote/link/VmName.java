package io.gpuvm.remote.link;

import java.util.regex.Pattern;

/// Rule for names of virtual machines.
public final class VmName {
    /// Description of valid names, for error messages.
    public static final String EXPECTED = "1 to 32 letters, digits, dots, dashes and underscores";

    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_.-]{1,32}");

    private VmName() {}

    public static boolean isValid(String name) {
        return VALID.matcher(name).matches();
    }
}
