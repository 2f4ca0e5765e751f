/// Replays of recorded runs by a scheduler: decision by decision, or as arrivals in a simulation.
package io.gpuvm.simulate;
