/// What a host lacks for owning a card: [io.gpuvm.doctor.Doctor] looks at a [io.gpuvm.doctor.Host]
/// and says it in [io.gpuvm.doctor.Finding]s. It changes nothing.
package io.gpuvm.doctor;
