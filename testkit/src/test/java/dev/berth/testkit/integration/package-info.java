/** Tests of Berth's own client with API servers: reads, writes and leader election. */
@NullMarked
package dev.berth.testkit.integration;

import org.jspecify.annotations.NullMarked;
