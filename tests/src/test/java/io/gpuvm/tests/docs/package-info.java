/// Tests of the commands in the documents, and of Javadoc summaries.
package io.gpuvm.tests.docs;
