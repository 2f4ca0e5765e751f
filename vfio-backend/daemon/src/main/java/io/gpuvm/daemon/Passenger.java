package io.gpuvm.daemon;

import io.gpuvm.linux.agent.ParkingAgent;

/// Agent that takes its turns on the thread of the GPU's owner.
///
/// @param agent agent that takes the turns
/// @param descriptor descriptor that is readable when the agent has work, in addition to explicit
///   wake-ups; or [io.gpuvm.linux.Poller#NONE]
record Passenger(ParkingAgent agent, int descriptor) {}
