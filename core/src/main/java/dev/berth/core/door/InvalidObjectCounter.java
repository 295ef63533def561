package dev.berth.core.door;

/** A door that counts its malformed objects, for a metric. */
public interface InvalidObjectCounter extends Door {
    /** The number of the door's objects that are malformed. */
    int invalidObjects();
}
