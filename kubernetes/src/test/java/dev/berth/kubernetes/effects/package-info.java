/** Effects written to a server that answers as it is told to. */
@NullMarked
package dev.berth.kubernetes.effects;

import org.jspecify.annotations.NullMarked;
