/** The page of scheduler-plugin-demo. */
@NullMarked
package dev.berth.app.pages.nodeannotation;

import org.jspecify.annotations.NullMarked;
