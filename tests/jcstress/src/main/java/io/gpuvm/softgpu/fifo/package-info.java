/// Stress tests of the register thread and the engine thread of the software GPU. Only one thread
/// at a time uses the engines, and no doorbell is lost. Each class lists all legal outcomes.
package io.gpuvm.softgpu.fifo;
