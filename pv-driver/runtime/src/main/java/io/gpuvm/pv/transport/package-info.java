/// Interface between the runtime and a GPU, independent of the transport: memory, channels, and
/// their events.
package io.gpuvm.pv.transport;
