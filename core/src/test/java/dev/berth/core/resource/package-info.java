@NullMarked
package dev.berth.core.resource;

import org.jspecify.annotations.NullMarked;
