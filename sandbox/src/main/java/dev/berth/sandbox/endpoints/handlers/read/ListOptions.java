package dev.berth.sandbox.endpoints.handlers.read;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.QueryParameters;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.selector.SelectionPredicate;
import dev.berth.sandbox.selector.SelectorSyntaxException;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options of a list or watch, from the query. The constructor rejects invalid values. */
public record ListOptions(QueryParameters queryParameters, SelectionPredicate selectionPredicate, boolean watch) {

    private static final String EXACT = "Exact";
    private static final String NOT_OLDER = "NotOlderThan";

    public static ListOptions of(RequestInfo requestInfo, QueryParameters queryParameters) {
        boolean watch = queryParameters.flag("watch");
        List<FieldError> errors = watch ? validateWatch(queryParameters) : validateList(queryParameters);
        if (!errors.isEmpty()) {
            throw new ApiStatusException(ApiStatus.invalid("meta.k8s.io", "ListOptions", "", errors));
        }
        return new ListOptions(queryParameters, selection(requestInfo, queryParameters), watch);
    }

    /** The requested revision, empty when absent; zero means any. */
    Optional<Long> revision() {
        String text = queryParameters.first("resourceVersion");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            long revision = Long.parseLong(text);
            if (revision >= 0) {
                return Optional.of(revision);
            }
        } catch (NumberFormatException malformed) {
            throw new ApiStatusException(invalidVersion(text), malformed);
        }
        throw new ApiStatusException(invalidVersion(text));
    }

    /** Whether the list must be exactly at that revision. */
    boolean exact() {
        String match = queryParameters.first("resourceVersionMatch");
        return match.equals(EXACT)
                || (match.isEmpty() && limit() > 0 && revision().orElse(0L) > 0);
    }

    long limit() {
        return numberParameter("limit").orElse(0L);
    }

    Optional<ContinueToken> continueToken() {
        String text = queryParameters.first("continue");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (revision().orElse(0L) > 0) {
            throw new ApiStatusException(
                    ApiStatus.badRequest("specifying resource version is not allowed when using continue"));
        }
        return Optional.of(ContinueToken.decode(text));
    }

    boolean bookmarks() {
        return queryParameters.flag("allowWatchBookmarks");
    }

    Optional<Boolean> sendInitialEvents() {
        return queryParameters.optionalFlag("sendInitialEvents");
    }

    Optional<Duration> timeout() {
        return numberParameter("timeoutSeconds").filter(seconds -> seconds > 0).map(Duration::ofSeconds);
    }

    private Optional<Long> numberParameter(String name) {
        String text = queryParameters.first(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException malformed) {
            throw new ApiStatusException(
                    ApiStatus.badRequest(name + " (" + text + ") is not a whole number"), malformed);
        }
    }

    private static SelectionPredicate selection(RequestInfo requestInfo, QueryParameters queryParameters) {
        try {
            SelectionPredicate selectionPredicate = SelectionPredicate.of(
                    requestInfo.namespace(),
                    queryParameters.first("labelSelector"),
                    fieldSelector(requestInfo, queryParameters),
                    requestInfo.kind().strategy().selectableFields());
            Optional<String> name = selectionPredicate.fields().requiredValue("metadata.name");
            if (!requestInfo.name().isEmpty() && !name.equals(Optional.of(requestInfo.name()))) {
                throw new ApiStatusException(
                        ApiStatus.badRequest("fieldSelector metadata.name doesn't match requested name"));
            }
            return selectionPredicate;
        } catch (SelectorSyntaxException malformed) {
            throw new ApiStatusException(ApiStatus.badRequest(malformed.message()), malformed);
        }
    }

    /** A watch of one object by its path is a watch of the kind with a name selector. */
    private static String fieldSelector(RequestInfo requestInfo, QueryParameters queryParameters) {
        String text = queryParameters.first("fieldSelector");
        return text.isEmpty() && !requestInfo.name().isEmpty() ? "metadata.name=" + requestInfo.name() : text;
    }

    private static List<FieldError> validateList(QueryParameters queryParameters) {
        List<FieldError> errors = new ArrayList<>();
        String match = queryParameters.first("resourceVersionMatch");
        FieldPath path = FieldPath.of("resourceVersionMatch");
        if (!match.isEmpty()) {
            if (queryParameters.first("resourceVersion").isEmpty()) {
                errors.add(FieldError.forbidden(
                        path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (!queryParameters.first("continue").isEmpty()) {
                errors.add(FieldError.forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
            }
            if (!match.equals(EXACT) && !match.equals(NOT_OLDER)) {
                errors.add(FieldError.notSupported(path, GoFormat.node(match), List.of(EXACT, NOT_OLDER, "")));
            }
            if (match.equals(EXACT) && queryParameters.first("resourceVersion").equals("0")) {
                errors.add(FieldError.forbidden(
                        path, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (queryParameters.has("sendInitialEvents")) {
            errors.add(
                    FieldError.forbidden(FieldPath.of("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
        }
        return errors;
    }

    private static List<FieldError> validateWatch(QueryParameters queryParameters) {
        List<FieldError> errors = new ArrayList<>();
        String match = queryParameters.first("resourceVersionMatch");
        FieldPath path = FieldPath.of("resourceVersionMatch");
        boolean initial = queryParameters.has("sendInitialEvents");
        if (initial && !match.equals(NOT_OLDER)) {
            errors.add(FieldError.forbidden(
                    path, "sendInitialEvents requires setting resourceVersionMatch to " + NOT_OLDER));
        }
        if (!match.isEmpty() && !initial) {
            errors.add(FieldError.forbidden(
                    path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        }
        if (!match.isEmpty() && !match.equals(NOT_OLDER)) {
            errors.add(FieldError.notSupported(path, GoFormat.node(match), List.of(NOT_OLDER)));
        }
        return errors;
    }

    private static ApiStatus invalidVersion(String text) {
        return ApiStatus.badRequest(
                "invalid resource version: strconv.ParseUint: parsing " + GoFormat.quote(text) + ": invalid syntax");
    }
}
