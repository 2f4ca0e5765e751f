/// Scheduling policies as pure decisions: time and state in, a choice out.
package io.gpuvm.sched.policy;
