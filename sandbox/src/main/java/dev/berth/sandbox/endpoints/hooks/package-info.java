/** What a few kinds do beside being stored: addresses for services, served kinds for definitions, their registration. */
@NullMarked
package dev.berth.sandbox.endpoints.hooks;

import org.jspecify.annotations.NullMarked;
