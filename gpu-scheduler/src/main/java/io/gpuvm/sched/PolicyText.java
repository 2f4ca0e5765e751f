package io.gpuvm.sched;

import io.gpuvm.options.KeyValues;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Parser of policies in the form `NAME[,KEY=VALUE...]`. Times have a unit.
final class PolicyText {
    /// Largest value of a time parameter: one minute.
    static final long MAX_NS = 60_000_000_000L;

    private static final Map<String, Long> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("ns", 1L);
        UNITS.put("us", 1_000L);
        UNITS.put("ms", 1_000_000L);
        UNITS.put("s", 1_000_000_000L);
    }

    private final String text;
    private final Map<String, String> parameters;

    private PolicyText(String text) {
        this.text = text;
        try {
            parameters = KeyValues.afterHead(text);
        } catch (IllegalArgumentException e) {
            throw wrong(text, e.getMessage());
        }
    }

    static PolicyKind parse(String text) {
        PolicyText given = new PolicyText(text);
        return switch (KeyValues.head(text)) {
            case "fifo" -> given.fifo();
            case "credit" -> given.credit();
            case "band" -> given.band();
            case "fair" -> given.fair();
            default ->
                    throw new IllegalArgumentException(
                            "policy=%s, expected one of %s".formatted(text, names()));
        };
    }

    private static String names() {
        return PolicyKind.ALL.stream().map(PolicyKind::label).collect(Collectors.joining(", "));
    }

    private PolicyKind fifo() {
        checkKeys(Set.of());
        return PolicyKind.FIFO;
    }

    private PolicyKind credit() {
        checkKeys(Set.of("period"));
        return new PolicyKind.Credit(ns("period", PolicyKind.Credit.PERIOD_NS));
    }

    private PolicyKind band() {
        checkKeys(Set.of("period", "window", "wait"));
        return new PolicyKind.Band(
                ns("period", PolicyKind.Credit.PERIOD_NS),
                ns("window", PolicyKind.Band.WINDOW_NS),
                ns("wait", PolicyKind.Band.WAIT_NS));
    }

    private PolicyKind fair() {
        checkKeys(Set.of("wait", "idle", "patience"));
        return new PolicyKind.Fair(
                ns("wait", PolicyKind.Fair.LONGEST_WAIT_NS),
                Math.clamp(number("idle", idle()), Integer.MIN_VALUE, Integer.MAX_VALUE),
                ns("patience", PolicyKind.Fair.PATIENCE_NS));
    }

    private String idle() {
        return parameters.getOrDefault("idle", Integer.toString(PolicyKind.Fair.WAIT_PERCENT));
    }

    private void checkKeys(Set<String> known) {
        for (String key : parameters.keySet()) {
            if (!known.contains(key)) {
                String keys =
                        known.isEmpty()
                                ? "none"
                                : "one of " + String.join(", ", new TreeSet<>(known));
                throw wrong("parameter=%s, expected %s".formatted(key, keys));
            }
        }
    }

    private long ns(String key, long usual) {
        String value = parameters.get(key);
        if (value == null) {
            return usual;
        }
        int digits = 0;
        while (digits < value.length() && Character.isDigit(value.charAt(digits))) {
            digits++;
        }
        Long unit = UNITS.get(value.substring(digits));
        if (unit == null) {
            throw wrong(
                    "%s=%s, expected a number with the unit ns, us, ms or s".formatted(key, value));
        }
        long number = number(key, value.substring(0, digits));
        return number > Long.MAX_VALUE / unit ? Long.MAX_VALUE : number * unit;
    }

    private long number(String key, String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException _) {
            throw wrong("%s=%s, expected a number".formatted(key, digits));
        }
    }

    private IllegalArgumentException wrong(String what) {
        return wrong(text, what);
    }

    private static IllegalArgumentException wrong(String text, String what) {
        return new IllegalArgumentException("policy=%s: %s".formatted(text, what));
    }
}
