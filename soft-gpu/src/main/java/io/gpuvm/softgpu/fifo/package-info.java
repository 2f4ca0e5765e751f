/// PFIFO: channels, runlists, push buffers, host methods, and the faults and interrupts of all of
/// them.
package io.gpuvm.softgpu.fifo;
