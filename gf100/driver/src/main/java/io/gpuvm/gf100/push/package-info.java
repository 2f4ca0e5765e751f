/// Words of push buffers: what a channel is told to do, written to memory. Functions of what they
/// are given, the same for every transport.
package io.gpuvm.gf100.push;
