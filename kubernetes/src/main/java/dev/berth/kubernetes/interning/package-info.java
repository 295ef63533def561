/** Tables of limited size that share equal values, so that pods of one template share most of their memory. */
@NullMarked
package dev.berth.kubernetes.interning;

import org.jspecify.annotations.NullMarked;
