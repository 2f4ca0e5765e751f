/// Measurements that another process requests, one at a time: the program under measurement runs on
/// the host or in a virtual machine, and the requesting process reads counters between the steps.
package io.gpuvm.workloads.request;
