/// PFIFO and the PBDMAs as a driver sees them: every register of theirs, and the reports that
/// engines leave there. The engines are behind a [io.gpuvm.gf100.unit.fifo.ChannelControl].
package io.gpuvm.gf100.unit.fifo;
