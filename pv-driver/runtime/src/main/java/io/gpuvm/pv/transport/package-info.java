/// Interface between the runtime and a GPU, independent of the transport: memory, channels, and
/// news of them.
package io.gpuvm.pv.transport;
