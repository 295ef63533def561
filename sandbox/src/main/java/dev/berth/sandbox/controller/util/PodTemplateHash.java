package dev.berth.sandbox.controller.util;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.TreeSet;

/** A short, safe name for the content of a JSON tree, the same for every order of its fields. */
public final class PodTemplateHash {
    /** No vowels and no look-alikes, so that no word forms by accident. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private PodTemplateHash() {}

    /** The hash of the content; another number of collisions gives another hash. */
    public static String compute(JsonNode content, int collisions) {
        int hash = FNV_OFFSET;
        for (byte each : JsonText.write(sorted(content))) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        if (collisions > 0) {
            for (byte each : Integer.toString(collisions).getBytes(UTF_8)) {
                hash = (hash ^ (each & 0xff)) * FNV_PRIME;
            }
        }
        return encoded(Integer.toUnsignedString(hash));
    }

    private static String encoded(String digits) {
        StringBuilder text = new StringBuilder(digits.length());
        for (int i = 0; i < digits.length(); i++) {
            text.append(ALPHABET.charAt(digits.charAt(i) % ALPHABET.length()));
        }
        return text.toString();
    }

    private static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            ObjectNode copy = NestedFields.newObject();
            TreeSet<String> names = new TreeSet<>();
            node.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> copy.set(name, sorted(node.path(name))));
            return copy;
        }
        if (node.isArray()) {
            var copy = NestedFields.newArray();
            node.forEach(element -> copy.add(sorted(element)));
            return copy;
        }
        return node;
    }
}
