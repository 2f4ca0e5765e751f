/// Guests that mean harm, beside one that works: what they try, and what must not come of it.
package io.gpuvm.guests.hostile;
