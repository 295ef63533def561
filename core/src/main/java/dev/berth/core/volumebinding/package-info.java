/**
 * Storage objects: PersistentVolumes, PersistentVolumeClaims, StorageClasses, CSINodes and so on, and {@link
 * dev.berth.core.volumebinding.StorageIndex} over them. Sub-package {@code filter} filters nodes by volumes, and {@code
 * prebind} binds and provisions the volumes of assumed pods.
 */
@NullMarked
package dev.berth.core.volumebinding;

import org.jspecify.annotations.NullMarked;
