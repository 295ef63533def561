/**
 * Versioned objects in memory: one revision counter for everything, ordered keys, optimistic writes, and a bounded
 * history per resource that watches are read from. Knows trees and keys, nothing of verbs or kinds.
 */
@NullMarked
package dev.berth.sandbox.storage;

import org.jspecify.annotations.NullMarked;
