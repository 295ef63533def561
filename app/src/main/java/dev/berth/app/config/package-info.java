/** The configuration file: every key has a default, bounds and a place in the documentation. */
@NullMarked
package dev.berth.app.config;

import org.jspecify.annotations.NullMarked;
