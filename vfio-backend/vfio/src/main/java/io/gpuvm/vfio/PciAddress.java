package io.gpuvm.vfio;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Address of a PCI function, as `lspci -D` writes it: `0000:01:00.0`.
public record PciAddress(int domain, int bus, int device, int function) {
    private static final Pattern TEXT =
            Pattern.compile("(?:(\\p{XDigit}{4,8}):)?(\\p{XDigit}{2}):([01]\\p{XDigit})\\.([0-7])");
    private static final int HEX = 16;

    /// Parses `DOMAIN:BUS:DEVICE.FUNCTION`, all hexadecimal; the domain is 0 if absent.
    ///
    /// @throws IllegalArgumentException if the text has another form
    public static PciAddress parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a PCI address of the form 0000:01:00.0".formatted(text));
        }
        String domain = matcher.group(1);
        return new PciAddress(
                domain == null ? 0 : Integer.parseUnsignedInt(domain, HEX),
                Integer.parseInt(matcher.group(2), HEX),
                Integer.parseInt(matcher.group(3), HEX),
                Integer.parseInt(matcher.group(4), HEX));
    }

    @Override
    public String toString() {
        return "%04x:%02x:%02x.%x".formatted(domain, bus, device, function);
    }
}
