/// How a GPU is shared, measured: guests that are processes, with commands of known length.
package io.gpuvm.bench.fairness;
