/// Legal outcomes of two threads on the two queues between a virtual machine and the owner of the
/// GPU: records arrive complete, in order and once, and no thread sleeps while one is pending. Each
/// class lists all legal outcomes.
package io.gpuvm.port;
