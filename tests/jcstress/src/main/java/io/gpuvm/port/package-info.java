/// Legal outcomes of races on the two queues between a virtual machine and the owner of the GPU.
/// Records arrive complete, in order and once, and no thread sleeps while a record is pending. Each
/// class lists all legal outcomes.
package io.gpuvm.port;
