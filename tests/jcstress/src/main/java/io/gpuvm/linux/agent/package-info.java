/// Legal outcomes of races between a thread that falls asleep and the threads that wake it.
package io.gpuvm.linux.agent;
