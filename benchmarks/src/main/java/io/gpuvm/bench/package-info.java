/// Measurements of a driver's start in real guests.
package io.gpuvm.bench;
