/** The page of scheduler-plugin-demo. */
@NullMarked
package dev.berth.app.pages.annotation;

import org.jspecify.annotations.NullMarked;
