/** What the API server shows, turned into facts for the engine. */
@NullMarked
package dev.berth.kubernetes.informer;

import org.jspecify.annotations.NullMarked;
