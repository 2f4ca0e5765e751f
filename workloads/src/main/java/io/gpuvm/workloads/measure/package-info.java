/// Measurement of workloads in rounds: medians, spreads, and ratios between configurations, as JSON
/// and as a table.
package io.gpuvm.workloads.measure;
