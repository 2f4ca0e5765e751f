package io.gpuvm.cli;

import java.util.Map;
import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// Preprocessor of the optional value of `--pci`: the next argument is its value only if it is a
/// PCI address.
final class PciAddressOrNone implements IParameterPreprocessor {
    private static final Pattern ADDRESS =
            Pattern.compile("\\p{XDigit}{4,8}:\\p{XDigit}{2}:[01]\\p{XDigit}\\.[0-7]");

    @Override
    public boolean preprocess(
            Stack<String> arguments,
            CommandSpec command,
            ArgSpec option,
            Map<String, Object> information) {
        boolean attached = "=".equals(information.get("separator"));
        if (!attached && (arguments.isEmpty() || !ADDRESS.matcher(arguments.peek()).matches())) {
            arguments.push("");
        }
        return false;
    }
}
