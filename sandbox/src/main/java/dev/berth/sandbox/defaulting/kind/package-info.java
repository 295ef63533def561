/** The defaults of each kind. */
@NullMarked
package dev.berth.sandbox.defaulting.kind;

import org.jspecify.annotations.NullMarked;
