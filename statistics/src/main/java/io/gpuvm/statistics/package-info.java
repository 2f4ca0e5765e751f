/// Quantiles of samples that are all kept.
package io.gpuvm.statistics;
