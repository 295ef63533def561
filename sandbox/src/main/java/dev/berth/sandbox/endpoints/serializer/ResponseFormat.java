package dev.berth.sandbox.endpoints.serializer;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.RestRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The format of a response: its media type, and whether objects are complete, a Table or metadata only. */
public record ResponseFormat(MediaType mediaType, ObjectShape shape) {

    /** The transformation of objects before they are encoded. */
    public enum ObjectShape {
        PLAIN,
        TABLE,
        PARTIAL_METADATA
    }

    static final ResponseFormat PLAIN_JSON = new ResponseFormat(MediaType.JSON, ObjectShape.PLAIN);

    /** The best format that a request accepts for a kind; the error is 406 when there is none. */
    public static ResponseFormat negotiate(RestRequest request, boolean hasProtobuf) {
        String accept = request.header("accept");
        if (accept.isBlank()) {
            return PLAIN_JSON;
        }
        for (AcceptClause clause : clauses(accept)) {
            Optional<ResponseFormat> format = clause.format(hasProtobuf);
            if (format.isPresent()) {
                return format.get();
            }
        }
        throw new ApiStatusException(ApiStatus.notAcceptable(MediaType.names(hasProtobuf)));
    }

    /** The format for errors, which always exists. */
    public static ResponseFormat forStatus(RestRequest request) {
        for (AcceptClause clause : clauses(request.header("accept"))) {
            Optional<ResponseFormat> format = clause.format(true);
            if (format.isPresent()) {
                return new ResponseFormat(format.get().mediaType(), ObjectShape.PLAIN);
            }
        }
        return PLAIN_JSON;
    }

    private static List<AcceptClause> clauses(String accept) {
        List<AcceptClause> clauses = new ArrayList<>();
        for (String each : accept.split(",", -1)) {
            if (!each.isBlank()) {
                clauses.add(AcceptClause.parse(each));
            }
        }
        clauses.sort(Comparator.comparingDouble(AcceptClause::quality).reversed());
        return clauses;
    }

    private record AcceptClause(String type, Map<String, String> parameters) {

        static AcceptClause parse(String text) {
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
            return new AcceptClause(parts[0].strip().toLowerCase(Locale.ROOT), parameters);
        }

        double quality() {
            try {
                return Double.parseDouble(parameters.getOrDefault("q", "1"));
            } catch (NumberFormatException unreadable) {
                return 1;
            }
        }

        Optional<ResponseFormat> format(boolean hasProtobuf) {
            Optional<MediaType> mediaType = type.equals("*/*") || type.equals("application/*")
                    ? Optional.of(MediaType.JSON)
                    : MediaType.find(type);
            if (mediaType.isEmpty() || (mediaType.get() == MediaType.PROTOBUF && !hasProtobuf)) {
                return Optional.empty();
            }
            return shape(mediaType.get()).map(shape -> new ResponseFormat(mediaType.get(), shape));
        }

        private Optional<ObjectShape> shape(MediaType mediaType) {
            String as = parameters.getOrDefault("as", "");
            if (as.isEmpty()) {
                return Optional.of(ObjectShape.PLAIN);
            }
            boolean known = "meta.k8s.io".equals(parameters.get("g")) && "v1".equals(parameters.get("v"));
            if (!known || mediaType == MediaType.PROTOBUF) {
                return Optional.empty();
            }
            return switch (as) {
                case "Table" -> Optional.of(ObjectShape.TABLE);
                case "PartialObjectMetadata", "PartialObjectMetadataList" -> Optional.of(ObjectShape.PARTIAL_METADATA);
                default -> Optional.empty();
            };
        }
    }
}
