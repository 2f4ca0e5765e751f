/// What a decision of the scheduler costs.
package io.gpuvm.sched;
