/// PFIFO: channels, runlists, push buffers, host methods, and their faults and interrupts.
package io.gpuvm.softgpu.fifo;
