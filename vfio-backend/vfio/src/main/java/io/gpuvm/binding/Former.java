package io.gpuvm.binding;

import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.PciFunction;

/// Driver of a PCI function before the function was bound to vfio-pci.
///
/// @param driver name of the driver, empty if the function had none
/// @param override driver for which the function was reserved, empty if none
record Former(PciAddress address, String driver, String override) {
    private static final String NONE = "-";

    /// Text of sysfs for a function without an override.
    private static final String NULL = "(null)";

    private static final int WORDS = 3;

    static Former of(PciFunction function) {
        return new Former(
                function.address(),
                function.driver().orElse(""),
                function.text("driver_override").filter(text -> !text.equals(NULL)).orElse(""));
    }

    /// Parses the result of [#toLine()].
    static Former parse(String line) {
        String[] words = line.split(" ");
        if (words.length != WORDS) {
            throw new BindingException("'%s' is not a record of a former driver".formatted(line));
        }
        return new Former(PciAddress.parse(words[0]), orEmpty(words[1]), orEmpty(words[2]));
    }

    String toLine() {
        return "%s %s %s".formatted(address, orNone(driver), orNone(override));
    }

    private static String orEmpty(String word) {
        return word.equals(NONE) ? "" : word;
    }

    private static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }
}
