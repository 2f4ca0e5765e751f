/// What PFIFO reads and writes in memory: instance blocks with RAMFC, USERD, GPFIFO entries,
/// command words and runlists.
///
/// Words are handled by functions over the word, blocks by movable flyweights over a
/// [java.lang.foreign.MemorySegment]; all are little endian. Methods that PFIFO executes itself are
/// in [io.gpuvm.gf100.classes.ChannelClass].
///
/// Sources: envytools `rnndb/fifo/gf100_pfifo.xml`, `docs/hw/fifo/dma-pusher.rst`; nouveau
/// `nvkm/engine/fifo/gf100.c`.
package io.gpuvm.gf100.fifo;
