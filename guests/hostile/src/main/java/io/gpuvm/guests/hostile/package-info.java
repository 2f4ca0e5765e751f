/// Hostile guests beside a guest with work: attacks, and checks that the attacks fail.
package io.gpuvm.guests.hostile;
