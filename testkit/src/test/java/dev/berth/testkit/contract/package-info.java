/** One contract, two servers: every behaviour Berth relies on, on the real server and on the embedded one. */
@NullMarked
package dev.berth.testkit.contract;

import org.jspecify.annotations.NullMarked;
