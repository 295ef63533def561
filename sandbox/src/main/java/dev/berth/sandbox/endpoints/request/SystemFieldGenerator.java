package dev.berth.sandbox.endpoints.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Generates the creation time, the UID and a missing name of new objects, from an injected clock and random source. */
public final class SystemFieldGenerator {

    // Without vowels and similar characters, as in Kubernetes, to avoid words.
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

    private final InstantSource clock;
    private final RandomGenerator random;

    public SystemFieldGenerator(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    public Instant now() {
        return clock.instant();
    }

    /** Sets the creation time and the UID. */
    public void fillSystemFields(ObjectNode mutable) {
        ObjectMetaEditor.mutableMetadata(mutable)
                .put("uid", newUid())
                .put("creationTimestamp", TimestampFormat.formatTime(now()));
    }

    /** A name with the given prefix. */
    public String generateName(String base) {
        StringBuilder name = new StringBuilder(base.substring(0, Math.min(base.length(), MAX_BASE_LENGTH)));
        synchronized (random) {
            for (int i = 0; i < SUFFIX_LENGTH; i++) {
                name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
        }
        return name.toString();
    }

    public String newUid() {
        long high;
        long low;
        synchronized (random) {
            high = random.nextLong();
            low = random.nextLong();
        }
        // A random UUID: version 4, variant 2.
        return new UUID((high & ~0xf000L) | 0x4000L, (low >>> 2) | (1L << 63)).toString();
    }
}
