/// Threads of agents: `AgentThread` starts them, `Parking` implements sleep and wake-up.
package io.gpuvm.linux.agent;
