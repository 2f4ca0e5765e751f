/// PFIFO and the PBDMAs as a driver sees them: their registers, and the reports of engines in them.
/// The engines are behind a [io.gpuvm.gf100.unit.fifo.ChannelControl].
package io.gpuvm.gf100.unit.fifo;
