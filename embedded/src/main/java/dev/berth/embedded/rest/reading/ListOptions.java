package dev.berth.embedded.rest.reading;

import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Query;
import dev.berth.embedded.rest.select.Selection;
import dev.berth.embedded.rest.select.SelectorSyntaxException;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options of a list or watch, as the query gives them; nonsense is refused at birth. */
public record ListOptions(Query query, Selection selection, boolean watch) {

    private static final String EXACT = "Exact";
    private static final String NOT_OLDER = "NotOlderThan";

    public static ListOptions of(Target target, Query query) {
        boolean watch = query.flag("watch");
        List<FieldError> errors = watch ? watchFaults(query) : listFaults(query);
        if (!errors.isEmpty()) {
            throw new ApiFailure(ApiStatus.invalid("meta.k8s.io", "ListOptions", "", errors));
        }
        return new ListOptions(query, selection(target, query), watch);
    }

    /** The revision asked for, empty when none was; zero means any. */
    Optional<Long> revision() {
        String text = query.text("resourceVersion");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            long revision = Long.parseLong(text);
            if (revision >= 0) {
                return Optional.of(revision);
            }
        } catch (NumberFormatException malformed) {
            throw new ApiFailure(invalidVersion(text), malformed);
        }
        throw new ApiFailure(invalidVersion(text));
    }

    /** Whether the list must be the one of that very revision. */
    boolean exact() {
        String match = query.text("resourceVersionMatch");
        return match.equals(EXACT)
                || (match.isEmpty() && limit() > 0 && revision().orElse(0L) > 0);
    }

    long limit() {
        return number("limit").orElse(0L);
    }

    Optional<ContinueToken> continuation() {
        String text = query.text("continue");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (revision().orElse(0L) > 0) {
            throw new ApiFailure(
                    ApiStatus.badRequest("specifying resource version is not allowed when using continue"));
        }
        return Optional.of(ContinueToken.decode(text));
    }

    boolean bookmarks() {
        return query.flag("allowWatchBookmarks");
    }

    Optional<Boolean> sendInitialEvents() {
        return query.optionalFlag("sendInitialEvents");
    }

    Optional<Duration> timeout() {
        return number("timeoutSeconds").filter(seconds -> seconds > 0).map(Duration::ofSeconds);
    }

    private Optional<Long> number(String name) {
        String text = query.text(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException malformed) {
            throw new ApiFailure(ApiStatus.badRequest(name + " (" + text + ") is not a whole number"), malformed);
        }
    }

    private static Selection selection(Target target, Query query) {
        try {
            Selection selection = Selection.of(
                    target.namespace(),
                    query.text("labelSelector"),
                    fieldSelector(target, query),
                    target.kind().rules().fields());
            Optional<String> name = selection.fields().exact("metadata.name");
            if (!target.name().isEmpty() && !name.equals(Optional.of(target.name()))) {
                throw new ApiFailure(ApiStatus.badRequest("fieldSelector metadata.name doesn't match requested name"));
            }
            return selection;
        } catch (SelectorSyntaxException malformed) {
            throw new ApiFailure(ApiStatus.badRequest(malformed.refusal()), malformed);
        }
    }

    /** A watch of one object by its path is a watch of the kind by name. */
    private static String fieldSelector(Target target, Query query) {
        String text = query.text("fieldSelector");
        return text.isEmpty() && !target.name().isEmpty() ? "metadata.name=" + target.name() : text;
    }

    private static List<FieldError> listFaults(Query query) {
        List<FieldError> errors = new ArrayList<>();
        String match = query.text("resourceVersionMatch");
        Path path = Path.of("resourceVersionMatch");
        if (!match.isEmpty()) {
            if (query.text("resourceVersion").isEmpty()) {
                errors.add(FieldError.forbidden(
                        path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (!query.text("continue").isEmpty()) {
                errors.add(FieldError.forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
            }
            if (!match.equals(EXACT) && !match.equals(NOT_OLDER)) {
                errors.add(FieldError.notSupported(path, GoText.node(match), List.of(EXACT, NOT_OLDER, "")));
            }
            if (match.equals(EXACT) && query.text("resourceVersion").equals("0")) {
                errors.add(FieldError.forbidden(
                        path, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (query.has("sendInitialEvents")) {
            errors.add(FieldError.forbidden(Path.of("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
        }
        return errors;
    }

    private static List<FieldError> watchFaults(Query query) {
        List<FieldError> errors = new ArrayList<>();
        String match = query.text("resourceVersionMatch");
        Path path = Path.of("resourceVersionMatch");
        boolean initial = query.has("sendInitialEvents");
        if (initial && !match.equals(NOT_OLDER)) {
            errors.add(FieldError.forbidden(
                    path, "sendInitialEvents requires setting resourceVersionMatch to " + NOT_OLDER));
        }
        if (!match.isEmpty() && !initial) {
            errors.add(FieldError.forbidden(
                    path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        }
        if (!match.isEmpty() && !match.equals(NOT_OLDER)) {
            errors.add(FieldError.notSupported(path, GoText.node(match), List.of(NOT_OLDER)));
        }
        return errors;
    }

    private static ApiStatus invalidVersion(String text) {
        return ApiStatus.badRequest(
                "invalid resource version: strconv.ParseUint: parsing " + GoText.quote(text) + ": invalid syntax");
    }
}
