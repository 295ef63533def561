/** How a server is extended: kinds of one's own, admission webhooks, and what its controllers collect. */
@NullMarked
package dev.berth.testkit.contract.extending;

import org.jspecify.annotations.NullMarked;
