package io.gpuvm.daemon;

import io.gpuvm.linux.agent.ParkingAgent;

/// Agent that takes its turns on the thread of the GPU's owner.
///
/// @param agent the agent
/// @param descriptor readable when there is work, in addition to explicit wake-ups; or
///   [io.gpuvm.linux.Poller#NONE]
record Passenger(ParkingAgent agent, int descriptor) {}
