/** The target and the options of a request. */
@NullMarked
package dev.berth.sandbox.endpoints.request;

import org.jspecify.annotations.NullMarked;
