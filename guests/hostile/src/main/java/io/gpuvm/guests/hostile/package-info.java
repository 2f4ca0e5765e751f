/// Hostile guests beside a working one: attacks, and checks that the attacks fail.
package io.gpuvm.guests.hostile;
