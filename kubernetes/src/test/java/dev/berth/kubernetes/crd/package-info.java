/** Tests of the CRDs. */
@NullMarked
package dev.berth.kubernetes.crd;

import org.jspecify.annotations.NullMarked;
