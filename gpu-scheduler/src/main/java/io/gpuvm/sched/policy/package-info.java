/// Scheduling policies, which decide from time and state alone.
package io.gpuvm.sched.policy;
