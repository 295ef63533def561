/** Writing Events as Kubernetes components do: repeated ones counted, similar ones combined, floods cut off. */
@NullMarked
package dev.berth.sandbox.client.record;

import org.jspecify.annotations.NullMarked;
