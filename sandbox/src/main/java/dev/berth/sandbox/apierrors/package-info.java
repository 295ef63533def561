/** Errors of the API server as the Status objects that clients receive. */
@NullMarked
package dev.berth.sandbox.apierrors;

import org.jspecify.annotations.NullMarked;
