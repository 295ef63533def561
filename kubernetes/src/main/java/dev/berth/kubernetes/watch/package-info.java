/**
 * List-watch: {@link dev.berth.kubernetes.watch.Reflector} lists and watches one kind forever, and passes its changes
 * to a {@link dev.berth.kubernetes.watch.ResourceEventHandler} in order and without gaps. {@code ApiListerWatcher} does
 * this over HTTP.
 */
@NullMarked
package dev.berth.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
