/// Hostile guests beside a working one: their attacks, and checks that they fail.
package io.gpuvm.guests.hostile;
