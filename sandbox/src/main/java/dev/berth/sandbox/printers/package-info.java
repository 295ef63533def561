/** The columns and cells that kubectl prints, computed on the server's side. */
@NullMarked
package dev.berth.sandbox.printers;

import org.jspecify.annotations.NullMarked;
