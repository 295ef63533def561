/** Kubernetes' protobuf, read while it arrives, and written. */
@NullMarked
package dev.berth.kubernetes.protobuf;

import org.jspecify.annotations.NullMarked;
