package dev.berth.sandbox.endpoints;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The decoded query parameters of a request, each with its values in order. */
public record QueryParameters(Map<String, List<String>> values) {

    public static final QueryParameters EMPTY = new QueryParameters(Map.of());

    public QueryParameters {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, each) -> copy.put(name, List.copyOf(each)));
        values = Collections.unmodifiableMap(copy);
    }

    /** Reads {@code a=1&b=2}. A parameter without a value is empty. */
    public static QueryParameters parse(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
                values.computeIfAbsent(name, each -> new ArrayList<>()).add(value);
            }
        }
        return new QueryParameters(values);
    }

    /** The first value of a parameter, empty when it is absent. */
    public String first(String name) {
        List<String> all = values.get(name);
        return all == null ? "" : all.get(0);
    }

    public List<String> getAll(String name) {
        return values.getOrDefault(name, List.of());
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** A flag as the API server reads it: everything except false and 0 is true, absence is false. */
    public boolean flag(String name) {
        return optionalFlag(name).orElse(false);
    }

    public Optional<Boolean> optionalFlag(String name) {
        return has(name)
                ? Optional.of(
                        !first(name).equalsIgnoreCase("false") && !first(name).equals("0"))
                : Optional.empty();
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new ApiStatusException(ApiStatus.badRequest("invalid URL escape in query (" + text + ")"), malformed);
        }
    }
}
