/** The rules of what makes pods. */
@NullMarked
package dev.berth.sandbox.validation.workload;

import org.jspecify.annotations.NullMarked;
