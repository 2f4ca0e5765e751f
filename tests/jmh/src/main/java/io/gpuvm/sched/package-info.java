/// Cost of a decision of the scheduler.
package io.gpuvm.sched;
