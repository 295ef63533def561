/**
 * The Reserve API of kube-globalreserve: {@code POST /reserve} and {@code POST /unreserve}, with JSON requests, and
 * JSON or text responses. The strings of the original are kept. {@code ReserveEndpoints} has the two routes, and {@code
 * ReserveJson} the JSON. The package documentation of {@code dev.berth.core.door.globalreserve} has the way of a
 * request hop by hop.
 */
@NullMarked
package dev.berth.http.globalreserve;

import org.jspecify.annotations.NullMarked;
