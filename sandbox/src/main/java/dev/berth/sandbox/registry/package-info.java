/** The served kinds, built-in and custom, each with its strategy and its validation. */
@NullMarked
package dev.berth.sandbox.registry;

import org.jspecify.annotations.NullMarked;
