package dev.berth.kubernetes.projection;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonAnnotation;
import dev.berth.kubernetes.json.JsonAnnotation.UnknownKeys;
import dev.berth.kubernetes.json.JsonKeys;
import dev.berth.kubernetes.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Reads Koordinator's annotations of pods about the Reservations that they use. Pods of one template share one instance. A
 * malformed annotation does not make the pod unreadable: the pod gets the message.
 */
final class ReservationConstraintsReader {
    static final String AFFINITY_ANNOTATION = "scheduling.koordinator.sh/reservation-affinity";
    static final String EXACT_MATCH_ANNOTATION = "scheduling.koordinator.sh/exact-match-reservation";

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String TERMS = "reservationSelectorTerms";
    private static final String TERMS_FORM =
            "{\"%s\":{\"%s\":[{\"matchExpressions\":[{\"key\":\"team\",\"operator\":\"In\",\"values\":[\"x\"]}]}]}}"
                    .formatted(REQUIRED, TERMS);
    private static final String TOLERATIONS_FORM =
            "{\"tolerations\":[{\"key\":\"dedicated\",\"operator\":\"Exists\",\"effect\":\"NoSchedule\"}]}";

    private static final JsonKeys REQUIREMENT_KEYS = JsonKeys.of("key", "operator", "values");
    private static final JsonKeys TERM_KEYS =
            JsonKeys.of().with("matchExpressions", REQUIREMENT_KEYS).with("matchFields", REQUIREMENT_KEYS);
    /** A bind cannot be undone, so a key that Berth does not know must not widen the choice of Reservations. */
    private static final JsonAnnotation AFFINITY = new JsonAnnotation(
            AFFINITY_ANNOTATION,
            "{\"name\":\"my-reservation\"}, {\"reservationSelector\":{\"key\":\"value\"}} or {}",
            JsonKeys.of("name", "reservationSelector")
                    .with(REQUIRED, JsonKeys.of().with(TERMS, TERM_KEYS))
                    .with("tolerations", JsonKeys.of("key", "operator", "value", "effect", "tolerationSeconds")),
            UnknownKeys.REJECT);

    private static final JsonAnnotation EXACT_MATCH = new JsonAnnotation(
            EXACT_MATCH_ANNOTATION,
            "{\"resourceNames\":[\"cpu\",\"memory\"]}",
            JsonKeys.of("resourceNames"),
            UnknownKeys.REJECT);

    private static final int MAX_CACHED = 1 << 12;
    private static final long MAX_CACHED_BYTES = 4L << 20;

    private final LruCache<Labels, ReservationConstraints> cache = new LruCache<>(MAX_CACHED, MAX_CACHED_BYTES);

    /** @param annotations those of the pod that Berth reads */
    ReservationConstraints read(Labels annotations) {
        if (!annotations.has(AFFINITY_ANNOTATION) && !annotations.has(EXACT_MATCH_ANNOTATION)) {
            return ReservationConstraints.NONE;
        }
        Labels texts = without(annotations, key -> !isRead(key));
        return cache.computeIfAbsent(texts, texts.retainedBytes(), ReservationConstraintsReader::parse);
    }

    /** The annotations without those that are read here: their texts can be long, and nothing else reads them. */
    static Labels withoutRead(Labels annotations) {
        return annotations.has(AFFINITY_ANNOTATION) || annotations.has(EXACT_MATCH_ANNOTATION)
                ? without(annotations, ReservationConstraintsReader::isRead)
                : annotations;
    }

    private static boolean isRead(String key) {
        return key.equals(AFFINITY_ANNOTATION) || key.equals(EXACT_MATCH_ANNOTATION);
    }

    private static Labels without(Labels annotations, Predicate<String> dropped) {
        Map<String, String> rest = annotations.toMap();
        rest.keySet().removeIf(dropped);
        return Labels.of(rest);
    }

    private static ReservationConstraints parse(Labels annotations) {
        try {
            return new ReservationConstraints(
                    AFFINITY.read(annotations, ReservationConstraintsReader::affinity),
                    EXACT_MATCH
                            .read(annotations, ReservationConstraintsReader::resourceNames)
                            .orElse(List.of()),
                    Optional.empty());
        } catch (MalformedObjectException malformed) {
            return new ReservationConstraints(
                    Optional.empty(), List.of(), Optional.of(String.valueOf(malformed.getMessage())));
        }
    }

    private static ReservationAffinity affinity(JsonObject json) {
        String name = text(json, "name");
        return new ReservationAffinity(
                name.isEmpty() ? Optional.empty() : Optional.of(name),
                selector(json),
                JsonAnnotation.readPart(
                        TERMS_FORM, () -> object(json, REQUIRED).map(ReservationConstraintsReader::terms)),
                JsonAnnotation.readPart(
                        TOLERATIONS_FORM,
                        () -> list(json, "tolerations")
                                .map(ReservationConstraintsReader::toleration)
                                .toList()));
    }

    private static Labels selector(JsonObject json) {
        object(json, "reservationSelector")
                .ifPresent(map -> map.toMap().keySet().forEach(key -> text(map, key)));
        return Labels.of(json.stringMap("reservationSelector"));
    }

    private static List<NodeSelectorTerm> terms(JsonObject required) {
        List<NodeSelectorTerm> terms =
                list(required, TERMS).map(ReservationConstraintsReader::term).toList();
        if (terms.isEmpty()) {
            throw new MalformedObjectException("%s.%s is empty: no Reservation could match".formatted(REQUIRED, TERMS));
        }
        return terms;
    }

    private static NodeSelectorTerm term(JsonObject term) {
        List<Requirement> fields = requirements(term, "matchFields");
        for (Requirement field : fields) {
            if (!field.key().equals(NodeSelectorTerm.NAME_FIELD)) {
                throw new MalformedObjectException("key (%s) in matchFields must be %s"
                        .formatted(ForeignText.quote(field.key()), NodeSelectorTerm.NAME_FIELD));
            }
        }
        return new NodeSelectorTerm(requirements(term, "matchExpressions"), fields);
    }

    private static List<Requirement> requirements(JsonObject term, String field) {
        return list(term, field)
                .map(expression -> new Requirement(
                        text(expression, "key"),
                        SelectorReader.parseOperator(text(expression, "operator")),
                        texts(expression, "values")))
                .toList();
    }

    private static Toleration toleration(JsonObject toleration) {
        return TaintReader.toToleration(
                        text(toleration, "key"),
                        text(toleration, "operator"),
                        text(toleration, "value"),
                        text(toleration, "effect"))
                .orElseThrow(() -> new MalformedObjectException("operator (%s) of a toleration must be Equal or Exists"
                        .formatted(ForeignText.quote(text(toleration, "operator")))));
    }

    private static List<ResourceName> resourceNames(JsonObject json) {
        return texts(json, "resourceNames").stream()
                .map(ResourceName::new)
                .distinct()
                .toList();
    }

    private static String text(JsonObject json, String field) {
        Object value = json.toMap().getOrDefault(field, "");
        if (!(value instanceof String text)) {
            throw new MalformedObjectException("%s (%s) must be a string".formatted(field, ForeignText.quote(value)));
        }
        return text;
    }

    private static List<String> texts(JsonObject json, String field) {
        List<String> texts = new ArrayList<>();
        for (Object value : values(json, field)) {
            if (!(value instanceof String text)) {
                throw new MalformedObjectException(
                        "(%s) in %s must be a string".formatted(ForeignText.quote(value), field));
            }
            texts.add(text);
        }
        return texts;
    }

    private static Stream<JsonObject> list(JsonObject json, String field) {
        values(json, field);
        return json.objects(field).stream();
    }

    private static List<?> values(JsonObject json, String field) {
        Object value = json.toMap().getOrDefault(field, List.of());
        if (!(value instanceof List<?> values)) {
            throw new MalformedObjectException("%s (%s) must be a list".formatted(field, ForeignText.quote(value)));
        }
        return values;
    }

    private static Optional<JsonObject> object(JsonObject json, String field) {
        Optional<JsonObject> object = json.object(field);
        if (object.isEmpty() && json.has(field)) {
            throw new MalformedObjectException("%s must be an object".formatted(field));
        }
        return object;
    }
}
