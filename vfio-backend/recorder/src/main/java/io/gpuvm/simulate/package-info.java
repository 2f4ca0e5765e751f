/// Recorded runs, scheduled again: decision by decision, or as arrivals of a simulation.
package io.gpuvm.simulate;
