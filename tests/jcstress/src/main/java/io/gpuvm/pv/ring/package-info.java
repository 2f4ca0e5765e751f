/// What two threads may see of each other's entries, and that nobody sleeps through one. Each class
/// lists all outcomes that are legal; `./gpuvm jcstress` looks for others.
package io.gpuvm.pv.ring;
