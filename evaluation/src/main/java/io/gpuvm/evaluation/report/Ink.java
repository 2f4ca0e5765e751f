package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import java.awt.Color;
import java.util.List;
import java.util.Locale;

/// Colour, named by its purpose, with its value in the light and in the dark theme. A configuration
/// has the same ink in all figures. Inks of one figure are distinguishable by colour-blind readers
/// (Okabe and Ito), and marks also differ in shape.
enum Ink {
    PAPER(0xffffff, 0x15181c),
    TEXT(0x1b1f24, 0xe6e8ea),
    MUTED(0x57606a, 0xa3abb3),
    GRID(0xd8dde2, 0x3a4047),
    BAND(0xf4f6f8, 0x1d2126),
    GAP(0xb3261e, 0xff8a80),
    ABSENT(0xa0a7ae, 0x6b747d),

    NATIVE(0x24292f, 0xe6e8ea),
    PV_PROCESS(0x0072b2, 0x4da3e0),
    PV_PROCESS_SINGLE(0x2f9bd6, 0x9ad4f7),
    CUDA_PROCESS(0x4f7f00, 0xa6d65c),
    PT_TRAPPED(0x7d858d, 0x969fa8),
    PT_MAPPED(0x24292f, 0xe6e8ea),
    FV_NAIVE(0xd55e00, 0xff8f4f),
    FV_BAR_REMAP(0xb98000, 0xf2bd4b),
    FV_LAZY(0xc2609a, 0xeba6cb),
    FV_OPTIMIZED(0x008a65, 0x3ccba0),
    PV_MACHINE(0x6a3d9a, 0xb79cf0),
    PV_MACHINE_SINGLE(0x7a5a20, 0xcfae70),
    CUDA_MACHINE(0x4f7f00, 0xa6d65c),

    FIRST(0x0072b2, 0x4da3e0),
    SECOND(0xd55e00, 0xff8f4f),
    THIRD(0x008a65, 0x3ccba0),
    FOURTH(0xb98000, 0xf2bd4b),
    FIFTH(0xc2609a, 0xeba6cb),
    SIXTH(0x6a3d9a, 0xb79cf0),
    SEVENTH(0x57606a, 0xa3abb3),
    EIGHTH(0x2f9bd6, 0x9ad4f7);

    /// Inks of series that are not configurations, in order of use.
    private static final List<Ink> NUMBERED =
            List.of(FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH);

    private final int light;
    private final int dark;

    Ink(int light, int dark) {
        this.light = light;
        this.dark = dark;
    }

    /// Returns the ink of a configuration.
    ///
    /// @param index index of the configuration, which selects the ink if the configuration has no
    ///   ink of its own
    static Ink of(EvaluatedConfiguration configuration, int index) {
        String name = configuration.name().replace('-', '_').toUpperCase(Locale.ROOT);
        for (Ink each : values()) {
            if (each.name().equals(name) && each.compareTo(NATIVE) >= 0) {
                return each;
            }
        }
        return numbered(index);
    }

    /// Returns the ink of the series with the given index; more series than inks share inks.
    static Ink numbered(int index) {
        return NUMBERED.get(index % NUMBERED.size());
    }

    /// Returns the colour of the light theme.
    Color light() {
        return new Color(light);
    }

    /// Returns the name of the CSS variable.
    String variable() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns the declarations of all variables.
    static String css(boolean isDark) {
        StringBuilder css = new StringBuilder();
        for (Ink each : values()) {
            css.append("%s:#%06x;".formatted(each.variable(), isDark ? each.dark : each.light));
        }
        return css.toString();
    }
}
