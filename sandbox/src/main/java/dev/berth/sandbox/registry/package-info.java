/** The kinds the server serves at this moment, built-in and custom, each with its rules. */
@NullMarked
package dev.berth.sandbox.registry;

import org.jspecify.annotations.NullMarked;
