/// The two queues between a virtual machine and the owner of the GPU, as two threads may see them:
/// records whole, in order, none lost or seen twice, and nobody asleep over one. Each class lists
/// all outcomes that are legal.
package io.gpuvm.port;
