package io.gpuvm.cuda.api.table;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parameter of a function of the CUDA runtime API.
///
/// @param declaration C declaration, such as `void **pointer`
/// @param isRequired whether a null pointer is an error
public record RuntimeParameter(String declaration, boolean isRequired) {
    private static final Pattern NAME = Pattern.compile("^(.*[ *])(\\w+)$");
    private static final String STREAM = "cudaStream_t";

    /// Returns the name of the parameter.
    public String name() {
        return match().group(2);
    }

    /// Returns whether the parameter is a stream, and not the place for one.
    public boolean isStream() {
        return match().group(1).strip().equals(STREAM);
    }

    /// Returns whether a declaration has a type and a name.
    static boolean isDeclaration(String text) {
        return NAME.matcher(text).matches();
    }

    private Matcher match() {
        Matcher matcher = NAME.matcher(declaration);
        if (!matcher.matches()) {
            throw new IllegalStateException("declaration=" + declaration);
        }
        return matcher;
    }
}
