/**
 * The configuration file: {@link dev.berth.app.config.ConfigFile} reads it into {@link dev.berth.app.config.Config}.
 * Every key has a default, limits and documentation.
 */
@NullMarked
package dev.berth.app.config;

import org.jspecify.annotations.NullMarked;
