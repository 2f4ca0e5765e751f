/// Which outcomes a thread that falls asleep and those that wake it may see.
package io.gpuvm.linux.agent;
