/** Berth's own client against API servers: what it reads, what it writes, and who leads. */
@NullMarked
package dev.berth.testkit.integration;

import org.jspecify.annotations.NullMarked;
