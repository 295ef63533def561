/** Reading and filling Kubernetes objects that are kept as JSON trees. */
@NullMarked
package dev.berth.sandbox.unstructured;

import org.jspecify.annotations.NullMarked;
