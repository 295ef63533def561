/** The kinds of objects that Berth brings along, as custom resource definitions. */
@NullMarked
package dev.berth.kubernetes.crd;

import org.jspecify.annotations.NullMarked;
