/** The commands on the pages of the documentation, typed as they are printed. */
@NullMarked
package dev.berth.e2e.docs;

import org.jspecify.annotations.NullMarked;
