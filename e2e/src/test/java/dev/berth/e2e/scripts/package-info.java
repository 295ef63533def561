/** The scripts at the top of the repository, run in a small copy of it where Java and Maven only tell what they were asked. */
@NullMarked
package dev.berth.e2e.scripts;

import org.jspecify.annotations.NullMarked;
