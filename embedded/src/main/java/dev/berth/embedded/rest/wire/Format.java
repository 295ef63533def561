package dev.berth.embedded.rest.wire;

import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** How an answer is to look: its media, and whether objects are to be shown as they are, as a Table or by metadata. */
public record Format(Media media, Shape shape) {

    /** What is made of objects before they are written. */
    public enum Shape {
        PLAIN,
        TABLE,
        PARTIAL
    }

    static final Format PLAIN_JSON = new Format(Media.JSON, Shape.PLAIN);

    /** The best format a request accepts for a kind; refused with 406 when there is none. */
    public static Format negotiate(Request request, boolean hasProtobuf) {
        String accept = request.header("accept");
        if (accept.isBlank()) {
            return PLAIN_JSON;
        }
        for (Clause clause : clauses(accept)) {
            Optional<Format> format = clause.format(hasProtobuf);
            if (format.isPresent()) {
                return format.get();
            }
        }
        throw new ApiFailure(ApiStatus.notAcceptable(Media.names(hasProtobuf)));
    }

    /** The format for a refusal: never refused itself. */
    public static Format forStatus(Request request) {
        for (Clause clause : clauses(request.header("accept"))) {
            Optional<Format> format = clause.format(true);
            if (format.isPresent()) {
                return new Format(format.get().media(), Shape.PLAIN);
            }
        }
        return PLAIN_JSON;
    }

    private static List<Clause> clauses(String accept) {
        List<Clause> clauses = new ArrayList<>();
        for (String each : accept.split(",", -1)) {
            if (!each.isBlank()) {
                clauses.add(Clause.parse(each));
            }
        }
        clauses.sort(Comparator.comparingDouble(Clause::quality).reversed());
        return clauses;
    }

    private record Clause(String type, Map<String, String> parameters) {

        static Clause parse(String text) {
            String[] parts = text.split(";", -1);
            Map<String, String> parameters = new LinkedHashMap<>();
            for (int i = 1; i < parts.length; i++) {
                int equals = parts[i].indexOf('=');
                if (equals > 0) {
                    parameters.put(
                            parts[i].substring(0, equals).strip(),
                            parts[i].substring(equals + 1).strip());
                }
            }
            return new Clause(parts[0].strip().toLowerCase(Locale.ROOT), parameters);
        }

        double quality() {
            try {
                return Double.parseDouble(parameters.getOrDefault("q", "1"));
            } catch (NumberFormatException unreadable) {
                return 1;
            }
        }

        Optional<Format> format(boolean hasProtobuf) {
            Optional<Media> media =
                    type.equals("*/*") || type.equals("application/*") ? Optional.of(Media.JSON) : Media.of(type);
            if (media.isEmpty() || (media.get() == Media.PROTOBUF && !hasProtobuf)) {
                return Optional.empty();
            }
            return shape(media.get()).map(shape -> new Format(media.get(), shape));
        }

        private Optional<Shape> shape(Media media) {
            String as = parameters.getOrDefault("as", "");
            if (as.isEmpty()) {
                return Optional.of(Shape.PLAIN);
            }
            boolean known = "meta.k8s.io".equals(parameters.get("g")) && "v1".equals(parameters.get("v"));
            if (!known || media == Media.PROTOBUF) {
                return Optional.empty();
            }
            return switch (as) {
                case "Table" -> Optional.of(Shape.TABLE);
                case "PartialObjectMetadata", "PartialObjectMetadataList" -> Optional.of(Shape.PARTIAL);
                default -> Optional.empty();
            };
        }
    }
}
