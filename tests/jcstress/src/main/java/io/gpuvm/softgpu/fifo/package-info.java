/// What the register thread and the engine thread of the software GPU may see of each other: one
/// has the engines at a time, and no doorbell is lost or slept through. Each class lists all
/// outcomes that are legal.
package io.gpuvm.softgpu.fifo;
