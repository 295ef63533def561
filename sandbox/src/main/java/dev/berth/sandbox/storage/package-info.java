/**
 * Versioned objects in memory: one revision counter for everything, ordered keys, optimistic writes, and a bounded
 * history per resource for watches. It handles trees and keys, not verbs or kinds.
 */
@NullMarked
package dev.berth.sandbox.storage;

import org.jspecify.annotations.NullMarked;
