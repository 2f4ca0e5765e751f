/// PFIFO's data structures in memory: instance blocks with RAMFC, USERD, GPFIFO entries, command
/// words and runlists.
///
/// Static functions process words, and movable flyweights over a [java.lang.foreign.MemorySegment]
/// process blocks. All data is little-endian. Methods that PFIFO itself executes are in
/// [io.gpuvm.gf100.classes.ChannelClass].
///
/// Sources: envytools `rnndb/fifo/gf100_pfifo.xml`, `docs/hw/fifo/dma-pusher.rst`; nouveau
/// `nvkm/engine/fifo/gf100.c`.
package io.gpuvm.gf100.fifo;
