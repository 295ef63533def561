/** Tests of effects against a server with scripted responses. */
@NullMarked
package dev.berth.kubernetes.effects;

import org.jspecify.annotations.NullMarked;
