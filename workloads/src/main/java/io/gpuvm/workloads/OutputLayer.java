package io.gpuvm.workloads;

/// The part of the network that the host computes: hidden units, and the one output behind them.
///
/// @param weights of the hidden units' outputs, after that of a constant 1
/// @param target what the output should be
record OutputLayer(float[] weights, float target) {
    /// The logistic function, of `StrictMath` so that it is the same whenever it is computed.
    private static float squash(double sum) {
        return (float) (1 / (1 + StrictMath.exp(-sum)));
    }

    /// How much each hidden unit's sum contributed to the output's error.
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

    /// The outputs of the hidden units.
    ///
    /// @param sums for each block of inputs, what they contribute to each hidden unit
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
