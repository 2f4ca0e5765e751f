/// Stress tests of the recorder's ring. Records arrive whole and in order, and each loss is
/// recorded at its position. Each class lists all legal outcomes.
package io.gpuvm.record;
