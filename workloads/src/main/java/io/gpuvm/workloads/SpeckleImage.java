package io.gpuvm.workloads;

import java.util.SplittableRandom;

/// Image with speckle, and its diffusion computed directly from the definition: in single precision
/// for each pixel, in double precision for sums.
record SpeckleImage(int columns, int rows, float[] pixels) {
    /// Rate of diffusion: at most an eighth of the difference to each neighbour per iteration.
    static final float RATE = 0.125f;

    private static final float BRIGHTEST = 255;
    private static final int MOST_REGION_SIDE = 128;

    /// Returns an image of two areas of different brightness with an edge between them, multiplied
    /// by noise.
    static SpeckleImage random(int columns, int rows, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] pixels = new float[columns * rows];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                float plain = row * columns < column * rows ? BRIGHTEST : BRIGHTEST / 4;
                pixels[row * columns + column] = plain * random.nextFloat(0.5f, 1);
            }
        }
        return new SpeckleImage(columns, rows, pixels);
    }

    /// Returns the square of the speckle's variation relative to the mean.
    static double speckle(double sum, double sumOfSquares, int pixels) {
        double mean = sum / pixels;
        return (sumOfSquares / pixels - mean * mean) / (mean * mean);
    }

    /// Returns the brightness after the given number of iterations, in which all pixels determine
    /// the strength of the speckle.
    float[] diffused(int iterations) {
        float[] image = exponentials();
        for (int i = 0; i < iterations; i++) {
            diffuse(image, coefficients(image, speckle(image)));
        }
        for (int i = 0; i < image.length; i++) {
            image[i] = (float) Math.log(image[i]) * BRIGHTEST;
        }
        return image;
    }

    /// Returns the exponentials of the brightness after the given number of iterations, in which a
    /// region of plain brightness determines the strength of the speckle.
    float[] diffusedByRegion(int iterations) {
        float[] image = exponentials();
        for (int i = 0; i < iterations; i++) {
            diffuse(image, coefficients(image, speckleOfRegion(image)));
        }
        return image;
    }

    /// Returns the exponentials of the brightness, from 1 to e.
    float[] exponentials() {
        float[] image = new float[pixels.length];
        for (int i = 0; i < image.length; i++) {
            image[i] = (float) Math.exp(pixels[i] / BRIGHTEST);
        }
        return image;
    }

    private static double speckle(float[] image) {
        double sum = 0;
        double sumOfSquares = 0;
        for (float pixel : image) {
            sum += pixel;
            sumOfSquares += pixel * pixel;
        }
        return speckle(sum, sumOfSquares, image.length);
    }

    /// Returns the strength of the speckle in a square at the upper right corner, which contains no
    /// edge.
    ///
    /// @param image exponentials of the brightness
    double speckleOfRegion(float[] image) {
        int side = Math.min(MOST_REGION_SIDE, Math.min(columns, rows) / 2);
        double sum = 0;
        double sumOfSquares = 0;
        for (int row = 0; row < side; row++) {
            for (int column = columns - side; column < columns; column++) {
                float pixel = image[row * columns + column];
                sum += pixel;
                sumOfSquares += pixel * pixel;
            }
        }
        return speckle(sum, sumOfSquares, side * side);
    }

    private float[] coefficients(float[] image, double strength) {
        float speckle = (float) strength;
        float[] coefficients = new float[image.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                float varies = variation(image, column, row);
                float c = 1 / (1 + (varies - speckle) / (speckle * (1 + speckle)));
                coefficients[row * columns + column] = Math.clamp(c, 0, 1);
            }
        }
        return coefficients;
    }

    /// Returns the square of the variation around a pixel.
    private float variation(float[] image, int column, int row) {
        float pixel = image[index(column, row)];
        float north = image[index(column, row - 1)] - pixel;
        float south = image[index(column, row + 1)] - pixel;
        float west = image[index(column - 1, row)] - pixel;
        float east = image[index(column + 1, row)] - pixel;
        float gradient =
                (north * north + south * south + west * west + east * east) / (pixel * pixel);
        float laplacian = (north + south + west + east) / pixel;
        float scale = 1 + laplacian / 4;
        return (gradient / 2 - laplacian * laplacian / 16) / (scale * scale);
    }

    private void diffuse(float[] image, float[] coefficients) {
        float[] before = image.clone();
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int at = index(column, row);
                float here = coefficients[at];
                float below = coefficients[index(column, row + 1)];
                float right = coefficients[index(column + 1, row)];
                float flow =
                        here * (before[index(column, row - 1)] - before[at])
                                + below * (before[index(column, row + 1)] - before[at])
                                + here * (before[index(column - 1, row)] - before[at])
                                + right * (before[index(column + 1, row)] - before[at]);
                image[at] += RATE * flow;
            }
        }
    }

    /// Returns the index of a pixel; outside the image, the index of the nearest pixel at the edge.
    private int index(int column, int row) {
        return Math.clamp(row, 0, rows - 1) * columns + Math.clamp(column, 0, columns - 1);
    }
}
