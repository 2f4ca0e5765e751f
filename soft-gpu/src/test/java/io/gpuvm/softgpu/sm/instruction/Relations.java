package io.gpuvm.softgpu.sm.instruction;

/// Comparisons, by their names in instructions.
final class Relations {
    private Relations() {}

    /// Returns whether two numbers satisfy the relation.
    ///
    /// @param sign sign of the difference of the numbers
    static boolean holds(String name, int sign) {
        return switch (name) {
            case "F" -> false;
            case "LT" -> sign < 0;
            case "EQ" -> sign == 0;
            case "LE" -> sign <= 0;
            case "GT" -> sign > 0;
            case "NE" -> sign != 0;
            case "GE" -> sign >= 0;
            case "T" -> true;
            default -> throw new IllegalArgumentException("comparison=" + name);
        };
    }

    /// Returns whether two numbers satisfy the relation; either may be NaN.
    static boolean holds(String name, double a, double b) {
        boolean unordered = Double.isNaN(a) || Double.isNaN(b);
        return switch (name) {
            case "F" -> false;
            case "T" -> true;
            case "NUM" -> !unordered;
            case "NAN" -> unordered;
            default ->
                    unordered
                            ? name.endsWith("U")
                            : holds(name.substring(0, 2), a > b ? 1 : a < b ? -1 : 0);
        };
    }
}
