/**
 * The informers: {@link dev.berth.kubernetes.informer.ClusterInformers} lists and watches all kinds of objects, and
 * event handlers turn them into facts for the engine.
 */
@NullMarked
package dev.berth.kubernetes.informer;

import org.jspecify.annotations.NullMarked;
