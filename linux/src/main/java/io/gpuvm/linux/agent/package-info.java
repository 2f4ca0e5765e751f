/// Threads: one class starts them, and one decides when they sleep and who wakes them.
package io.gpuvm.linux.agent;
