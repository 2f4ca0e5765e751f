/// Exact quantiles of stored samples.
package io.gpuvm.statistics;
