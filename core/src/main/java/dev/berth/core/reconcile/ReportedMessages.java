package dev.berth.core.reconcile;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The messages that events have reported, so that each message is reported once while it is true. A message that was
 * untrue in between is reported again.
 *
 * @param <K> identifies an object
 */
public final class ReportedMessages<K> {
    private final Map<K, Map<String, Set<String>>> byKey = new HashMap<>();

    /**
     * Replaces the messages that are true of the object.
     *
     * @param topic separates messages that become true and untrue independently of each other
     * @return the messages that were not true before, sorted: each of them needs an event
     */
    public List<String> replace(K key, String topic, Collection<String> messages) {
        Map<String, Set<String>> topics = byKey.getOrDefault(key, Map.of());
        Set<String> before = topics.getOrDefault(topic, Set.of());
        if (messages.isEmpty()) {
            clear(key, topic);
            return List.of();
        }
        Set<String> current = new TreeSet<>(messages);
        List<String> added =
                current.stream().filter(message -> !before.contains(message)).toList();
        byKey.computeIfAbsent(key, any -> new HashMap<>()).put(topic, current);
        return added;
    }

    /**
     * Replaces the only message of the topic.
     *
     * @param message empty where there is none
     * @return whether the message needs an event
     */
    public boolean replace(K key, String topic, String message) {
        return !replace(key, topic, message.isEmpty() ? Set.of() : Set.of(message))
                .isEmpty();
    }

    /**
     * No message of the topic is true any more.
     *
     * @return whether there was one, so that the recovery may need an event
     */
    public boolean clear(K key, String topic) {
        Map<String, Set<String>> topics = byKey.get(key);
        if (topics == null) {
            return false;
        }
        boolean removed = topics.remove(topic) != null;
        if (topics.isEmpty()) {
            byKey.remove(key);
        }
        return removed;
    }

    /** The object was deleted. */
    public void remove(K key) {
        byKey.remove(key);
    }
}
