package dev.berth.core.volumebinding;

/**
 * A CSIDriver.
 *
 * @param reportsCapacity {@code spec.storageCapacity}: whether CSIStorageCapacity objects must be respected
 */
public record CsiDriver(String name, String uid, boolean reportsCapacity) implements StorageObject {}
