/// Quantiles of samples, all of which are kept.
package io.gpuvm.statistics;
