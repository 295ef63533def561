/** The page of scheduler-plugin-demo. */
@NullMarked
package dev.berth.e2e.pages.nodeannotation;

import org.jspecify.annotations.NullMarked;
