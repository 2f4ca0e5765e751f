/// Tests of the commands in the documents.
package io.gpuvm.tests.docs;
