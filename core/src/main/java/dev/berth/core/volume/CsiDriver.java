package dev.berth.core.volume;

/**
 * A driver of volumes.
 *
 * @param tellsCapacity whether it says how much storage is where, so that this must be heeded
 */
public record CsiDriver(String name, String uid, boolean tellsCapacity) implements StorageObject {}
