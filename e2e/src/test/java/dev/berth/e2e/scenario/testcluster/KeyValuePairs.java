package dev.berth.e2e.scenario.testcluster;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Pairs as people type them, such as {@code app=web, tier=front}. */
final class KeyValuePairs {
    private KeyValuePairs() {}

    static void putAll(ObjectNode into, String pairs) {
        for (String pair : pairs.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("(%s) of (%s) is not like key=value".formatted(pair, pairs));
            }
            into.put(
                    pair.substring(0, equals).strip(),
                    pair.substring(equals + 1).strip());
        }
    }
}
