/** Writing Events as Kubernetes components do: repeated ones counted, similar ones combined, floods cut off. */
@NullMarked
package dev.berth.embedded.client.event;

import org.jspecify.annotations.NullMarked;
