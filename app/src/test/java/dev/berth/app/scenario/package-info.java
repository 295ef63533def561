/** What a scheduler is asked on a whole cluster, as sentences typed into kubectl. */
@NullMarked
package dev.berth.app.scenario;

import org.jspecify.annotations.NullMarked;
