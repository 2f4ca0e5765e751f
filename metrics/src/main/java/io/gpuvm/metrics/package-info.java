/// Metrics of a backend for Prometheus, from its counters. `docs/operations.md` lists them.
package io.gpuvm.metrics;
