package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.rest.reading.ListOptions;
import dev.berth.embedded.rest.reading.Reading;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.Look;
import dev.berth.embedded.rest.wire.ObjectList;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Delete, of one object or of a collection. */
public final class Deletion {

    /** What keeps the definition of a custom kind until its objects are gone. */
    public static final String CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private final Backend backend;

    public Deletion(Backend backend) {
        this.backend = backend;
    }

    public Answer delete(Target target, Request request) {
        Look look = Look.of(request, target.kind());
        DeleteOptions options = DeleteOptions.of(request, backend.bodies());
        Asking asking = asking(request, options);
        Outcome outcome = delete(target, options, asking);
        // 202 where the deletion goes on behind the answer and its client asked about the dependents.
        int code = outcome.gone() || options.orphanDependents().orElse(true) ? 200 : 202;
        Answer answer = outcome.gone() && !target.kind().rules().answersDeletedObject()
                ? backend.presenter()
                        .tree(
                                200,
                                look.format(),
                                success(target, outcome.object().tree()))
                : backend.presenter().object(code, look, outcome.object());
        return answer.warning(asking.warnings());
    }

    public Answer deleteCollection(Target target, Request request) {
        Look look = Look.of(request, target.kind());
        DeleteOptions options = DeleteOptions.of(request, backend.bodies());
        Asking asking = asking(request, options);
        ObjectList list = new Reading(backend).select(target, ListOptions.of(target, request.query()));
        for (Stored each : list.items()) {
            Target one =
                    new Target(target.kind(), each.key().namespace(), each.key().name(), "");
            if (backend.shelf(one).get(each.key()).isPresent()) {
                deleteIfPresent(one, options, asking);
            }
        }
        return backend.presenter().list(look, list).warning(asking.warnings());
    }

    private void deleteIfPresent(Target target, DeleteOptions options, Asking asking) {
        try {
            delete(target, options, asking);
        } catch (ApiFailure failure) {
            if (failure.status().code() != 404) {
                throw failure;
            }
        }
    }

    /** What a deletion came to: the object's last state, and whether it is gone or only on its way. */
    public record Outcome(Stored object, boolean gone) {}

    /** Deletes an object, or marks it for those it still has to wait for. */
    public Outcome delete(Target target, DeleteOptions options, Asking asking) {
        while (true) {
            Stored present = backend.present(target);
            checkPreconditions(target, present, options);
            backend.admission()
                    .validate(asking.admission(AdmissionRequest.Operation.DELETE, target)
                            .from(target.kind().rules().served(present.tree())));
            Optional<Outcome> outcome = attempt(target, present, options);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    /** The same without asking admission, for deletions that follow from another write. */
    public Outcome deleteUnasked(Target target, DeleteOptions options) {
        while (true) {
            Stored present = backend.present(target);
            // The version is that of before the server's own preparations; the identity must still hold.
            checkUid(target, present, options);
            Optional<Outcome> outcome = attempt(target, present, options);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    private Optional<Outcome> attempt(Target target, Stored present, DeleteOptions options) {
        return isNamespace(target.kind())
                ? terminateNamespace(target, present, options)
                : remove(target, present, options);
    }

    private Optional<Outcome> remove(Target target, Stored present, DeleteOptions options) {
        Leave leave = Leave.of(
                target.kind(), present.tree(), options, backend.births().now());
        if (leave.alreadyUnderWay()) {
            return Optional.of(new Outcome(present, false));
        }
        if (options.dryRun()) {
            return Optional.of(new Outcome(present, true));
        }
        if (leave.marked().isEmpty()) {
            return leave.goesNow()
                    ? backend.shelf(target).remove(present).map(gone -> gone(target, gone))
                    : Optional.of(new Outcome(present, false));
        }
        Optional<Stored> marked =
                backend.shelf(target).replace(present, leave.marked().get());
        marked.ifPresent(written -> backend.extras().afterWrite(target.kind(), written));
        return marked.map(written -> leave.goesNow() ? removeMarked(target, written) : new Outcome(written, false));
    }

    /** Whoever else removes meanwhile what was marked here did what was asked for. */
    private Outcome removeMarked(Target target, Stored marked) {
        Shelf shelf = backend.shelf(target);
        Stored last = marked;
        while (true) {
            Optional<Stored> removed = shelf.remove(last);
            if (removed.isPresent()) {
                return gone(target, removed.get());
            }
            Optional<Stored> changed = shelf.get(marked.key())
                    .filter(present -> Meta.uid(present.tree()).equals(Meta.uid(marked.tree())));
            if (changed.isEmpty()) {
                return new Outcome(last, true);
            }
            last = changed.get();
        }
    }

    private Outcome gone(Target target, Stored last) {
        backend.extras().afterRemoval(target.kind(), last);
        return new Outcome(last, true);
    }

    private Optional<Outcome> terminateNamespace(Target target, Stored present, DeleteOptions options) {
        ObjectNode before = present.tree();
        if (Meta.deletionTimestamp(before).isPresent()) {
            return before.path("spec").path("finalizers").isEmpty()
                    ? remove(target, present, options)
                    : Optional.of(new Outcome(present, false));
        }
        ObjectNode own = Meta.shallowCopy(before);
        Meta.of(own).put("deletionTimestamp", Meta.time(backend.births().now()));
        own.set("status", before.path("status").deepCopy());
        own.withObjectProperty("status").put("phase", "Terminating");
        Meta.setFinalizers(own, Leave.finalizers(target.kind(), before, options));
        if (options.dryRun()) {
            return Optional.of(new Outcome(Stored.unsaved(present.key(), own, present.revision()), false));
        }
        return backend.shelf(target).replace(present, own).map(stored -> new Outcome(stored, false));
    }

    private static boolean isNamespace(ServedKind kind) {
        return kind.storage().equals(new ResourceId("", "namespaces"));
    }

    /** Refuses where the object is not the one, or not in the state, that the options demand. */
    public void checkPreconditions(Target target, Stored present, DeleteOptions options) {
        checkUid(target, present, options);
        String version = Meta.resourceVersion(present.tree());
        options.wantedVersion().filter(wanted -> !wanted.equals(version)).ifPresent(wanted -> {
            throw conflict(
                    target,
                    "the ResourceVersion in the precondition (" + wanted
                            + ") does not match the ResourceVersion in record (" + version
                            + "). The object might have been modified");
        });
    }

    private static void checkUid(Target target, Stored present, DeleteOptions options) {
        String uid = Meta.uid(present.tree());
        options.wantedUid().filter(wanted -> !wanted.equals(uid)).ifPresent(wanted -> {
            throw conflict(
                    target,
                    "the UID in the precondition (" + wanted + ") does not match the UID in record (" + uid
                            + "). The object might have been deleted and then recreated");
        });
    }

    /** Here the real server names the kind where it elsewhere names the resource. */
    private static ApiFailure conflict(Target target, String why) {
        ResourceId kind =
                new ResourceId(target.kind().gvk().group(), target.kind().gvk().kind());
        return new ApiFailure(ApiStatus.conflict(kind, target.name(), why));
    }

    private static ObjectNode success(Target target, ObjectNode tree) {
        ObjectNode status = ApiStatus.success();
        ObjectNode details = status.putObject("details");
        details.put("name", target.name());
        if (!target.resource().group().isEmpty()) {
            details.put("group", target.resource().group());
        }
        details.put("kind", target.resource().plural());
        details.put("uid", Meta.uid(tree));
        return status;
    }

    private static Asking asking(Request request, DeleteOptions options) {
        List<String> warnings = new ArrayList<>();
        return new Asking(request.user(), new WriteOptions(options.dryRun(), options.tree()), warnings);
    }
}
