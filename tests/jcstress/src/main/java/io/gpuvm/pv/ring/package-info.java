/// Legal outcomes of races on a ring: entries are complete, and no thread sleeps while an entry is
/// pending. Each class lists all legal outcomes; `./gpuvm jcstress` searches for other outcomes.
package io.gpuvm.pv.ring;
