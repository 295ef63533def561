package dev.berth.sandbox.endpoints.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** What every new object is given: a time, an identity and, where it has none, a name. All of it is injected chance. */
public final class SystemFieldGenerator {

    // Without vowels and look-alikes, as Kubernetes does it, so that no words arise.
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

    /** Gives an object its creation time and identity. */
    public void fillSystemFields(ObjectNode mutable) {
        ObjectMetaEditor.mutableMetadata(mutable)
                .put("uid", newUid())
                .put("creationTimestamp", TimestampFormat.formatTime(now()));
    }

    /** A name made of a given beginning. */
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
        // Marked as a random one: version 4, variant 2.
        return new UUID((high & ~0xf000L) | 0x4000L, (low >>> 2) | (1L << 63)).toString();
    }
}
