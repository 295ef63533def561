@NullMarked
package dev.berth.sandbox.validation;

import org.jspecify.annotations.NullMarked;
