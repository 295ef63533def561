@NullMarked
package dev.berth.embedded.validation;

import org.jspecify.annotations.NullMarked;
