/** The choice between the languages in which an API server answers. */
@NullMarked
package dev.berth.kubernetes.format;

import org.jspecify.annotations.NullMarked;
