/**
 * Reads PersistentVolumes, claims, StorageClasses and CSI objects, and writes volume bindings. {@code CsiTranslator}
 * implements CSI migration.
 */
@NullMarked
package dev.berth.kubernetes.volumebinding;

import org.jspecify.annotations.NullMarked;
