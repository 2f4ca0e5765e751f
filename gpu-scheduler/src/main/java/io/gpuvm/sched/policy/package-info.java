/// Scheduling policies, which depend only on recorded events and time.
package io.gpuvm.sched.policy;
