/// Legal outcomes of a thread that falls asleep and the threads that wake it.
package io.gpuvm.linux.agent;
