/** The columns and cells that kubectl prints, computed on the server's side. */
@NullMarked
package dev.berth.embedded.table;

import org.jspecify.annotations.NullMarked;
