package dev.berth.embedded.validation.pod.container;

import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.storage.FilePaths;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Volumes that bring several things together in one folder. */
final class ProjectionChecks {
    private static final List<String> KINDS = List.of(
            "secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate");
    private static final int TEN_MINUTES = 600;

    private final VolumeChecks volumes;
    private final FieldErrors errors;
    private final Set<String> places = new HashSet<>();

    ProjectionChecks(VolumeChecks volumes, FieldErrors errors) {
        this.volumes = volumes;
        this.errors = errors;
    }

    void check(ObjectNode projected, Path path) {
        path.child("sources").each(objects(projected, "sources"), (source, here) -> {
            for (String kind : List.of("secret", "configMap")) {
                object(source, kind).ifPresent(found -> keys(found, here.child(kind), path));
            }
            object(source, "downwardAPI")
                    .ifPresent(found -> objects(found, "items").forEach(item -> {
                        volumes.downwardFile(item, here.child("downwardAPI"));
                        place(text(item, "path"), text(item, "path"), path);
                    }));
            object(source, "serviceAccountToken")
                    .ifPresent(found -> token(found, here.child("serviceAccountToken"), path));
            if (KINDS.stream().filter(kind -> has(source, kind)).count() > 1) {
                errors.forbidden(here, "may not specify more than 1 volume type per source");
            }
        });
    }

    private void keys(ObjectNode source, Path here, Path path) {
        volumes.require(source, "name", here);
        here.child("items").each(objects(source, "items"), (item, at) -> {
            volumes.key(item, at);
            place(text(item, "path"), text(source, "name"), path);
        });
    }

    private void place(String place, String shown, Path path) {
        if (!place.isEmpty() && !places.add(place)) {
            errors.invalid(path, shown, "conflicting duplicate paths");
        }
    }

    private void token(ObjectNode token, Path here, Path path) {
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
            FilePaths.checkUnreserved(place, path.child("path"), errors);
        }
    }
}
