package io.gpuvm.workloads;

/// Part of the network that the host computes: the hidden units and the output after them.
///
/// @param weights weight of a constant 1, followed by the weights of the hidden units' outputs
/// @param target expected output
record OutputLayer(float[] weights, float target) {
    /// Computes the logistic function with `StrictMath`, so that results are reproducible.
    private static float squash(double sum) {
        return (float) (1 / (1 + StrictMath.exp(-sum)));
    }

    /// Returns the contribution of each hidden unit's sum to the output's error.
    float[] deltas(float[] hidden) {
        float output = output(hidden);
        float delta = output * (1 - output) * (target - output);
        float[] deltas = new float[hidden.length];
        for (int j = 0; j < hidden.length; j++) {
            deltas[j] = hidden[j] * (1 - hidden[j]) * (delta * weights[j + 1]);
        }
        return deltas;
    }

    float output(float[] hidden) {
        double sum = weights[0];
        for (int j = 0; j < hidden.length; j++) {
            sum += (double) weights[j + 1] * hidden[j];
        }
        return squash(sum);
    }

    /// Returns the outputs of the hidden units.
    ///
    /// @param sums contributions of each block of inputs to each hidden unit
    float[] hidden(float[] sums) {
        float[] hidden = new float[weights.length - 1];
        for (int j = 0; j < hidden.length; j++) {
            double sum = 0;
            for (int i = j; i < sums.length; i += hidden.length) {
                sum += sums[i];
            }
            hidden[j] = squash(sum);
        }
        return hidden;
    }
}
