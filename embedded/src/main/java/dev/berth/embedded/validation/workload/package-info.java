/** The rules of what makes pods. */
@NullMarked
package dev.berth.embedded.validation.workload;

import org.jspecify.annotations.NullMarked;
