/// The seam between the runtime and a GPU: memory, channels, and news of them, whichever way leads
/// there.
package io.gpuvm.pv.transport;
