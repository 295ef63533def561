/** JSON, read while it arrives, for servers that have no protobuf. */
@NullMarked
package dev.berth.kubernetes.json;

import org.jspecify.annotations.NullMarked;
