/** Server-side printing: the Tables that kubectl shows. */
@NullMarked
package dev.berth.sandbox.printers;

import org.jspecify.annotations.NullMarked;
