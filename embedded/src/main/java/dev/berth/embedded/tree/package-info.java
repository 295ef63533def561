/** Reading and filling Kubernetes objects that are kept as JSON trees. */
@NullMarked
package dev.berth.embedded.tree;

import org.jspecify.annotations.NullMarked;
