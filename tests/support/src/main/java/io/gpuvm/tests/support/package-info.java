/// Observations that tests of several modules make. Uses no module of the product, so that every
/// module may use it.
package io.gpuvm.tests.support;
