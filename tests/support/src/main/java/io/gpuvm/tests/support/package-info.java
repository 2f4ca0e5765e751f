/// Observations for tests of several modules. Uses no module of the product, so that every module
/// may use this package.
package io.gpuvm.tests.support;
