/// Measurement of GPU sharing. Guests are processes that submit commands of known length.
package io.gpuvm.bench.fairness;
