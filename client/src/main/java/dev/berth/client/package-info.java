/** The Java client of the Reserve API: {@link dev.berth.client.RemoteReservePool} reserves places in a remote Berth. */
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
