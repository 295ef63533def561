/** Field errors and field paths with the messages of apimachinery's field package. */
@NullMarked
package dev.berth.sandbox.validation.field;

import org.jspecify.annotations.NullMarked;
