/** The API server itself: its storage, its registry of kinds and its endpoints, wired together. */
@NullMarked
package dev.berth.sandbox.apiserver;

import org.jspecify.annotations.NullMarked;
