/// Measurement of workloads: rounds, medians, spread, ratios between configurations; as JSON and as
/// a table.
package io.gpuvm.workloads.measure;
