/// Words of push buffers: commands for a channel, written to memory. Functions of their arguments,
/// identical for every transport.
package io.gpuvm.gf100.push;
