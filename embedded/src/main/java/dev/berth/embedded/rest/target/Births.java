package dev.berth.embedded.rest.target;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.store.Meta;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** What every new object is given: a time, an identity and, where it has none, a name. All of it is injected chance. */
public final class Births {

    // Without vowels and look-alikes, as Kubernetes does it, so that no words arise.
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int LONGEST_BASE = 63 - SUFFIX_LENGTH;

    private final InstantSource clock;
    private final RandomGenerator random;

    public Births(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    public Instant now() {
        return clock.instant();
    }

    /** Gives an object its creation time and identity. */
    public void register(ObjectNode own) {
        Meta.of(own).put("uid", uid()).put("creationTimestamp", Meta.time(now()));
    }

    /** A name made of a given beginning. */
    public String name(String base) {
        StringBuilder name = new StringBuilder(base.substring(0, Math.min(base.length(), LONGEST_BASE)));
        synchronized (random) {
            for (int i = 0; i < SUFFIX_LENGTH; i++) {
                name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
        }
        return name.toString();
    }

    public String uid() {
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
