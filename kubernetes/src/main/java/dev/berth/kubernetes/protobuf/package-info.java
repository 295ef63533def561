/** The protobuf of Kubernetes: reads lists, watches and objects while they arrive, and writes request bodies. */
@NullMarked
package dev.berth.kubernetes.protobuf;

import org.jspecify.annotations.NullMarked;
