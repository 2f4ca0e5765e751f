package io.gpuvm.workloads;

/// A square chip of silicon as a grid of cells, each with a power, a temperature, and thermal
/// resistances to its neighbours and to what is around.
///
/// @param columns of cells
/// @param rows of cells
/// @param step of time, divided by the heat capacity of a cell, in K/W
/// @param rx reciprocal of the resistance between cells side by side, in W/K
/// @param ry reciprocal of the resistance between cells one above the other, in W/K
/// @param rz reciprocal of the resistance to what is around, in W/K
public record ThermalModel(int columns, int rows, float step, float rx, float ry, float rz) {
    /// Temperature of what is around, in K.
    public static final float AMBIENT = 353.15f;

    /// Edge of the chip, in m.
    private static final double EDGE = 0.016;

    /// Thickness of the chip, in m.
    private static final double THICKNESS = 0.0005;

    /// Heat conductivity of silicon, in W/(m K).
    private static final double CONDUCTIVITY = 100;

    /// What part of the longest step of time that does not overshoot a step is.
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

    /// The temperatures a step later. Beyond the chip's edges it is as warm as at them.
    ///
    /// Operations are those of the kernel, in its order.
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
