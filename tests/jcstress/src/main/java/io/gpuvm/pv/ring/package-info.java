/// Legal outcomes of two threads on a ring: complete entries, and no thread that sleeps while an
/// entry is pending. Each class lists all legal outcomes; `./gpuvm jcstress` searches for others.
package io.gpuvm.pv.ring;
