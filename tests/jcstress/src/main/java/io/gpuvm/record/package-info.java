/// Stress tests of the recorder's ring: records arrive whole and in order, and each loss is
/// recorded at its place. Each class lists all legal outcomes.
package io.gpuvm.record;
