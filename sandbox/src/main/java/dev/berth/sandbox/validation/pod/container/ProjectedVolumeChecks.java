package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.storage.FilePathChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Volumes that bring several things together in one folder. */
final class ProjectedVolumeChecks {
    private static final List<String> KINDS = List.of(
            "secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate");
    private static final int TEN_MINUTES = 600;

    private final VolumeChecks volumes;
    private final FieldErrorList errors;
    private final Set<String> paths = new HashSet<>();

    ProjectedVolumeChecks(VolumeChecks volumes, FieldErrorList errors) {
        this.volumes = volumes;
        this.errors = errors;
    }

    void check(ObjectNode projected, FieldPath path) {
        path.child("sources").forEachIndexed(objects(projected, "sources"), (source, here) -> {
            for (String kind : List.of("secret", "configMap")) {
                object(source, kind).ifPresent(found -> keys(found, here.child(kind), path));
            }
            object(source, "downwardAPI")
                    .ifPresent(found -> objects(found, "items").forEach(item -> {
                        volumes.downwardFile(item, here.child("downwardAPI"));
                        checkPath(text(item, "path"), text(item, "path"), path);
                    }));
            object(source, "serviceAccountToken")
                    .ifPresent(found -> token(found, here.child("serviceAccountToken"), path));
            if (KINDS.stream().filter(kind -> has(source, kind)).count() > 1) {
                errors.forbidden(here, "may not specify more than 1 volume type per source");
            }
        });
    }

    private void keys(ObjectNode source, FieldPath here, FieldPath path) {
        volumes.require(source, "name", here);
        here.child("items").forEachIndexed(objects(source, "items"), (item, at) -> {
            volumes.key(item, at);
            checkPath(text(item, "path"), text(source, "name"), path);
        });
    }

    private void checkPath(String place, String shown, FieldPath path) {
        if (!place.isEmpty() && !paths.add(place)) {
            errors.invalid(path, shown, "conflicting duplicate paths");
        }
    }

    private void token(ObjectNode token, FieldPath here, FieldPath path) {
        long seconds = number(token, "expirationSeconds");
        if (seconds < TEN_MINUTES) {
            errors.invalid(here.child("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes");
        }
        if (seconds > 1L << 32) {
            errors.invalid(
                    here.child("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds");
        }
        String place = text(token, "path");
        if (place.isEmpty()) {
            errors.required(path.child("path"));
        } else {
            FilePathChecks.checkUnreserved(place, path.child("path"), errors);
        }
    }
}
