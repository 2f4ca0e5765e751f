package io.gpuvm.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// List of hosts in Slurm's notation, such as `gpu[1-4,08],login`.
final class HostList {
    private static final Pattern RANGE = Pattern.compile("([0-9]+)(?:-([0-9]+))?");

    private HostList() {}

    /// Returns whether a list contains a host.
    static boolean contains(String list, String host) {
        return elements(list).stream().anyMatch(element -> matches(element, host));
    }

    /// Splits at commas outside of brackets.
    private static List<String> elements(String list) {
        List<String> elements = new ArrayList<>();
        int start = 0;
        int depth = 0;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) {
                elements.add(list.substring(start, i));
                start = i + 1;
            }
        }
        elements.add(list.substring(start));
        return elements;
    }

    private static boolean matches(String element, String host) {
        int open = element.indexOf('[');
        int close = element.indexOf(']', open);
        if (open < 0 || close < 0) {
            return element.equals(host);
        }
        if (!host.startsWith(element.substring(0, open))) {
            return false;
        }
        String rest = host.substring(open);
        for (String range : element.substring(open + 1, close).split(",")) {
            Matcher bounds = RANGE.matcher(range);
            int digits = digits(rest);
            if (bounds.matches()
                    && digits > 0
                    && isWithin(bounds, rest.substring(0, digits))
                    && matches(element.substring(close + 1), rest.substring(digits))) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether a number, written with as many digits as the lower bound or more, is in a
    /// range.
    private static boolean isWithin(Matcher bounds, String number) {
        String low = bounds.group(1);
        String high = bounds.group(2) == null ? low : bounds.group(2);
        boolean isPadded = low.length() > 1 && low.startsWith("0");
        if (isPadded ? number.length() != low.length() : number.length() > high.length()) {
            return false;
        }
        long value = Long.parseLong(number);
        return value >= Long.parseLong(low) && value <= Long.parseLong(high);
    }

    private static int digits(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        return digits;
    }
}
