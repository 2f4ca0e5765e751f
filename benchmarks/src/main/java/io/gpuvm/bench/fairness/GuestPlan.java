package io.gpuvm.bench.fairness;

import io.gpuvm.options.KeyValues;
import io.gpuvm.sched.policy.TimeShare;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Plan of a guest: its load on the GPU, and its share.
///
/// @param name name of the guest's virtual machine
/// @param lengthUs GPU time of a command
/// @param options other options of `gpuvm spin`: `think`, `burst`, `pause`, `outstanding`
record GuestPlan(String name, long lengthUs, Map<String, String> options, TimeShare share) {
    private static final double US_PER_MS = 1e3;
    private static final List<String> SPIN_OPTIONS =
            List.of("think", "burst", "pause", "outstanding");

    /// @param text `length=US` and, optionally, `think=US`, `burst=MS`, `pause=MS`,
    ///   `outstanding=N`, `weight=N` and `cap=PERCENT`, separated by commas
    /// @throws IllegalArgumentException if the text is invalid; the message names the error
    static GuestPlan parse(String name, String text) {
        Map<String, String> keys;
        try {
            keys = KeyValues.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("guest '%s': %s".formatted(text, e.getMessage()), e);
        }
        String length = keys.remove("length");
        if (length == null) {
            throw new IllegalArgumentException("guest '%s': expected length=US".formatted(text));
        }
        int weight = Integer.parseInt(keys.getOrDefault("weight", "1"));
        int cap = Integer.parseInt(keys.getOrDefault("cap", String.valueOf(TimeShare.NO_CAP)));
        keys.remove("weight");
        keys.remove("cap");
        for (String key : keys.keySet()) {
            if (!SPIN_OPTIONS.contains(key)) {
                throw new IllegalArgumentException(
                        "guest '%s': key=%s, expected one of length, weight, cap, %s"
                                .formatted(text, key, String.join(", ", SPIN_OPTIONS)));
            }
        }
        return new GuestPlan(name, Long.parseLong(length), keys, new TimeShare(weight, cap));
    }

    /// Returns a plan of consecutive commands without pauses.
    static GuestPlan steady(String name, long lengthUs, TimeShare share) {
        return new GuestPlan(name, lengthUs, Map.of(), share);
    }

    /// Returns a short description without commas, for the figures.
    String does() {
        StringBuilder text =
                new StringBuilder(
                        String.format(Locale.ROOT, "%s: %s ms", name, lengthUs / US_PER_MS));
        options.forEach((key, value) -> text.append(' ').append(key).append(' ').append(value));
        if (share.weight() != 1) {
            text.append(" weight ").append(share.weight());
        }
        if (share.isCapped()) {
            text.append(" cap ").append(share.capPercent()).append('%');
        }
        return text.toString();
    }

    /// Returns the value of the backend's `--vm`.
    ///
    /// @param socket path of the guest's socket
    String vmOption(Path socket) {
        StringBuilder option =
                new StringBuilder("%s,mode=pv,vram=64M,socket=%s".formatted(name, socket));
        if (share.weight() != 1) {
            option.append(",weight=").append(share.weight());
        }
        if (share.isCapped()) {
            option.append(",cap=").append(share.capPercent());
        }
        return option.toString();
    }

    /// Returns the arguments of `gpuvm` for the guest's process.
    List<String> arguments(Path socket, Path trace, int seconds) {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("spin", "--socket", socket.toString(), "--await-go"));
        arguments.addAll(List.of("--length", String.valueOf(lengthUs)));
        arguments.addAll(List.of("--seconds", String.valueOf(seconds)));
        arguments.addAll(List.of("--trace", trace.toString()));
        options.forEach((key, value) -> arguments.addAll(List.of("--" + key, value)));
        return arguments;
    }
}
