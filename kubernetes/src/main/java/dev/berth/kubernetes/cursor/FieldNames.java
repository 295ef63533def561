package dev.berth.kubernetes.cursor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The requested fields of a message: their numbers in protobuf and their names in JSON. */
public final class FieldNames {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Set<Integer> maps = new HashSet<>();

    private FieldNames() {}

    /** No field is requested. */
    public static FieldNames none() {
        return new FieldNames();
    }

    public FieldNames with(int number, String name) {
        numbers.put(name, number);
        return this;
    }

    /** A field whose JSON is an object with the keys of the map as its names. */
    public FieldNames withMap(int number, String name) {
        maps.add(number);
        return with(number, name);
    }

    /** Zero for a name that is not requested. */
    public int number(String name) {
        return numbers.getOrDefault(name, 0);
    }

    public boolean isMap(int number) {
        return maps.contains(number);
    }
}
