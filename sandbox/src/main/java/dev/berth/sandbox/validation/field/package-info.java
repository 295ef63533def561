/** Errors of fields and their paths, as apimachinery's field package words them. */
@NullMarked
package dev.berth.sandbox.validation.field;

import org.jspecify.annotations.NullMarked;
