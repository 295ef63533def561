package dev.berth.sandbox.schema;

import java.util.List;

/** What a resource is called in paths and by people. The plural is empty where the kind has no path of its own. */
public record ResourceNames(String plural, String singular, List<String> shortNames, List<String> categories) {

    public ResourceNames {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
    }
}
