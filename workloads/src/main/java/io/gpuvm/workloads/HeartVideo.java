package io.gpuvm.workloads;

import java.util.SplittableRandom;

/// Ultrasound video of a beating heart in cross-section: two bright walls around blood, with
/// speckle. Frames have [#SIDE] rows and columns.
///
/// @param frames pixels of a frame, by frame: row by row, from 0 to [#SHADES] - 1
record HeartVideo(int[][] frames) {
    /// Number of rows and columns of a frame.
    static final int SIDE = 144;

    /// Number of shades of brightness.
    static final int SHADES = 64;

    /// Radius of the inner wall in the first frame, in pixels.
    static final int INNER_RADIUS = 30;

    /// Radius of the outer wall in the first frame, in pixels.
    static final int OUTER_RADIUS = 44;

    /// Row and column of the heart's centre.
    static final int CENTRE = SIDE / 2;

    /// Number of frames of a heartbeat.
    private static final int BEAT = 16;

    /// Relative growth of the heart until the widest frame.
    private static final double GROWTH = 0.08;

    private static final double WALL_HALF_WIDTH = 3;
    private static final int WALL_SHADE = 40;
    private static final int BLOOD_SHADE = 8;
    private static final int MUSCLE_SHADE = 22;
    private static final int TISSUE_SHADE = 14;

    /// Minimum factor of speckle.
    private static final float LEAST_SPECKLE = 0.5f;

    /// Maximum factor of speckle, exclusive.
    private static final float MOST_SPECKLE = 1.5f;

    /// Number of shades of the noise, which differs between frames.
    private static final int NOISE_SHADES = 3;

    /// Number of rows and columns of the image of the heart at rest, which exceeds the frames by
    /// one pixel on all sides.
    private static final int REST_SIDE = SIDE + 2;

    /// Returns a video that is determined by its length and the seed alone.
    static HeartVideo random(int frames, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] rest = atRest(random);
        int[][] all = new int[frames][];
        for (int i = 0; i < frames; i++) {
            all[i] = frame(rest, scale(i), random);
        }
        return new HeartVideo(all);
    }

    /// Returns the size of the heart in a frame, relative to the first frame.
    static double scale(int frame) {
        double phase = 2 * Math.PI * frame / BEAT;
        return 1 + GROWTH / 2 * (1 - StrictMath.cos(phase));
    }

    private static float[] atRest(SplittableRandom random) {
        float[] rest = new float[REST_SIDE * REST_SIDE];
        int centre = REST_SIDE / 2;
        for (int i = 0; i < rest.length; i++) {
            int row = i / REST_SIDE - centre;
            int column = i % REST_SIDE - centre;
            int shade = shade(Math.sqrt((double) row * row + (double) column * column));
            rest[i] = shade * random.nextFloat(LEAST_SPECKLE, MOST_SPECKLE);
        }
        return rest;
    }

    private static int shade(double radius) {
        if (isNear(radius, INNER_RADIUS) || isNear(radius, OUTER_RADIUS)) {
            return WALL_SHADE;
        }
        if (radius < INNER_RADIUS) {
            return BLOOD_SHADE;
        }
        return radius < OUTER_RADIUS ? MUSCLE_SHADE : TISSUE_SHADE;
    }

    private static boolean isNear(double radius, int wall) {
        return Math.abs(radius - wall) <= WALL_HALF_WIDTH;
    }

    private static int[] frame(float[] rest, double scale, SplittableRandom random) {
        int[] pixels = new int[SIDE * SIDE];
        for (int i = 0; i < pixels.length; i++) {
            double row = REST_SIDE / 2 + (i / SIDE - CENTRE) / scale;
            double column = REST_SIDE / 2 + (i % SIDE - CENTRE) / scale;
            int shade = (int) between(rest, row, column) + random.nextInt(NOISE_SHADES);
            pixels[i] = Math.min(shade, SHADES - 1);
        }
        return pixels;
    }

    /// Interpolates between four pixels.
    private static double between(float[] rest, double row, double column) {
        int at = (int) row * REST_SIDE + (int) column;
        double down = row - (int) row;
        double right = column - (int) column;
        double upper = rest[at] * (1 - right) + rest[at + 1] * right;
        double lower = rest[at + REST_SIDE] * (1 - right) + rest[at + REST_SIDE + 1] * right;
        return upper * (1 - down) + lower * down;
    }
}
