@NullMarked
package dev.berth.sandbox.defaulting;

import org.jspecify.annotations.NullMarked;
