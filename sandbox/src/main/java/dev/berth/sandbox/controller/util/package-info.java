/** What the workload controllers share: writes that are seen at once, ownership, templates and counts. */
@NullMarked
package dev.berth.sandbox.controller.util;

import org.jspecify.annotations.NullMarked;
