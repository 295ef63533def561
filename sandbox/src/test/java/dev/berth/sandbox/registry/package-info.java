@NullMarked
package dev.berth.sandbox.registry;

import org.jspecify.annotations.NullMarked;
