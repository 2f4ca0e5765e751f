/// Checks that what the documents show works.
package io.gpuvm.tests.docs;
