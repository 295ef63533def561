package dev.berth.core.volumebinding;

/**
 * A driver of volumes.
 *
 * @param reportsCapacity whether it says how much storage is where, so that this must be heeded
 */
public record CsiDriver(String name, String uid, boolean reportsCapacity) implements StorageObject {}
