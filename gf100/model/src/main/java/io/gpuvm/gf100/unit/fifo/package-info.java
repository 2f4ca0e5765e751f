/// PFIFO and the PBDMAs as a driver sees them: their registers, including reports of the engines.
/// The units control the engines through a [io.gpuvm.gf100.unit.fifo.ChannelControl].
package io.gpuvm.gf100.unit.fifo;
