/** Objects of the API server turned into the small views of them that Berth keeps. */
@NullMarked
package dev.berth.kubernetes.projection;

import org.jspecify.annotations.NullMarked;
