/// Binding of cards to vfio-pci and back to their former drivers: [io.gpuvm.binding.Binder], by
/// writes to sysfs alone.
package io.gpuvm.binding;
