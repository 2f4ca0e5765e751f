/// Measurement of GPU sharing: guests that are processes, with commands of known length.
package io.gpuvm.bench.fairness;
