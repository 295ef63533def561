/** Tests of the network side. */
@NullMarked
package dev.berth.embedded.http;

import org.jspecify.annotations.NullMarked;
