/// Words of push buffers: commands for a channel, written to memory. The words depend only on the
/// arguments, and are identical for every transport.
package io.gpuvm.gf100.push;
