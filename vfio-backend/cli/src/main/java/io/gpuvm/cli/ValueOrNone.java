package io.gpuvm.cli;

import java.util.Map;
import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// Preprocessor of an option with an optional value: the next argument is the value only if that
/// argument has the form of a value. Otherwise the value is empty.
abstract class ValueOrNone implements IParameterPreprocessor {
    private final Pattern form;

    ValueOrNone(Pattern form) {
        this.form = form;
    }

    @Override
    public final boolean preprocess(
            Stack<String> arguments,
            CommandSpec command,
            ArgSpec option,
            Map<String, Object> information) {
        boolean attached = "=".equals(information.get("separator"));
        if (!attached && (arguments.isEmpty() || !form.matcher(arguments.peek()).matches())) {
            arguments.push("");
        }
        return false;
    }

    /// Preprocessor of a PCI address.
    static final class PciAddress extends ValueOrNone {
        PciAddress() {
            super(Pattern.compile("\\p{XDigit}{4,8}:\\p{XDigit}{2}:[01]\\p{XDigit}\\.[0-7]"));
        }
    }

    /// Preprocessor of an absolute path.
    static final class AbsolutePath extends ValueOrNone {
        AbsolutePath() {
            super(Pattern.compile("/.*"));
        }
    }
}
