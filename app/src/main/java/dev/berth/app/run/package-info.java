/**
 * The wiring of {@code berth run}: {@link dev.berth.app.run.Berth} starts the client, the election, the HTTP listeners
 * and an engine. {@code ElectionParticipant} replaces the engine when the configuration of the members changes.
 */
@NullMarked
package dev.berth.app.run;

import org.jspecify.annotations.NullMarked;
