/// Observations for tests of several modules. The package uses no module of the product, so that
/// every module may use it.
package io.gpuvm.tests.support;
