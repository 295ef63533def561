package dev.berth.sandbox.schema;

import java.util.List;

/** The names of a resource. The plural is empty when the kind has no path. */
public record ResourceNames(String plural, String singular, List<String> shortNames, List<String> categories) {

    public ResourceNames {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
    }
}
