/** {@link dev.berth.kubernetes.format.WireFormat}: the choice between protobuf and JSON for lists and watches. */
@NullMarked
package dev.berth.kubernetes.format;

import org.jspecify.annotations.NullMarked;
