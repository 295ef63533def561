/** The CustomResourceDefinitions that Berth ships. */
@NullMarked
package dev.berth.kubernetes.crd;

import org.jspecify.annotations.NullMarked;
