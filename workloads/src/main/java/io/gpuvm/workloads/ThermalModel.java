package io.gpuvm.workloads;

/// Square chip of silicon as a grid of cells, each with a power, a temperature, and thermal
/// resistances to its neighbours and to the environment.
///
/// @param columns number of columns of cells
/// @param rows number of rows of cells
/// @param step time step, divided by the heat capacity of a cell, in K/W
/// @param rx reciprocal of the resistance between horizontal neighbours, in W/K
/// @param ry reciprocal of the resistance between vertical neighbours, in W/K
/// @param rz reciprocal of the resistance to the environment, in W/K
public record ThermalModel(int columns, int rows, float step, float rx, float ry, float rz) {
    /// Temperature of the environment, in K.
    public static final float AMBIENT = 353.15f;

    /// Length of an edge of the chip, in m.
    private static final double EDGE = 0.016;

    /// Thickness of the chip, in m.
    private static final double THICKNESS = 0.0005;

    /// Heat conductivity of silicon, in W/(m K).
    private static final double CONDUCTIVITY = 100;

    /// Ratio of the time step to the longest time step that does not overshoot.
    private static final double PART_OF_LONGEST = 0.25;

    static ThermalModel of(int columns, int rows) {
        double width = EDGE / columns;
        double height = EDGE / rows;
        double rx = CONDUCTIVITY * THICKNESS * height / width;
        double ry = CONDUCTIVITY * THICKNESS * width / height;
        double rz = CONDUCTIVITY * width * height / THICKNESS;
        double step = PART_OF_LONGEST / (2 * rx + 2 * ry + rz);
        return new ThermalModel(columns, rows, (float) step, (float) rx, (float) ry, (float) rz);
    }

    int cells() {
        return columns * rows;
    }

    /// Returns the temperatures after one step. Cells beyond the chip's edges have the temperature
    /// of the edge.
    ///
    /// Executes the same operations as the kernel, in the same order.
    float[] next(float[] temperatures, float[] power) {
        float[] after = new float[temperatures.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int here = row * columns + column;
                float t = temperatures[here];
                float north = row > 0 ? temperatures[here - columns] : t;
                float south = row < rows - 1 ? temperatures[here + columns] : t;
                float west = column > 0 ? temperatures[here - 1] : t;
                float east = column < columns - 1 ? temperatures[here + 1] : t;
                float heat = Math.fma(Math.fma(t, -2, north + south), ry, power[here]);
                heat = Math.fma(Math.fma(t, -2, east + west), rx, heat);
                heat = Math.fma(AMBIENT - t, rz, heat);
                after[here] = Math.fma(heat, step, t);
            }
        }
        return after;
    }
}
