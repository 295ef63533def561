/** Tests of the network side. */
@NullMarked
package dev.berth.sandbox.http;

import org.jspecify.annotations.NullMarked;
