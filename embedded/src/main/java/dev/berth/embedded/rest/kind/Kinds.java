package dev.berth.embedded.rest.kind;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.crd.CustomKind;
import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.KindSchema;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Snapshot;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The catalog of the moment. It is made anew when the stored definitions of custom kinds have changed, so that a kind is
 * served from the first request after it was established.
 */
public final class Kinds {

    /** Where definitions of custom kinds are stored. */
    public static final ResourceId DEFINITIONS = new ResourceId("apiextensions.k8s.io", "customresourcedefinitions");

    /** Kinds whose objects are sent and never stored, yet have a path. */
    private static final Set<String> ONLY_SENT = Set.of(
            "/Binding", "authentication.k8s.io/SelfSubjectReview", "authorization.k8s.io/SelfSubjectAccessReview");

    private final List<ServedKind> builtIn;
    private final Shelf definitions;

    private volatile Known known;

    /** The kinds of these schemas and of the definitions in the store, which may use these groups without a dot. */
    public Kinds(BuiltInSchemas schemas, Set<String> groups, Store store) {
        ProtobufCodec codec = Protobuf.of(schemas);
        this.builtIn = schemas.kinds().stream()
                .filter(kind -> kind.isResource() && isOffered(kind))
                .map(kind -> BuiltInRules.serve(kind, codec, groups))
                .toList();
        this.definitions = store.shelf(DEFINITIONS);
        this.known = new Known(definitions.lastChange(), new Catalog(builtIn, List.of()));
    }

    /** What is served now. */
    public Catalog catalog() {
        Known now = known;
        long change = definitions.lastChange();
        if (now.change() != change) {
            now = new Known(change, catalog(definitions.snapshot()));
            known = now;
        }
        return now.catalog();
    }

    private Catalog catalog(Snapshot stored) {
        List<ServedKind> all = new ArrayList<>(builtIn);
        List<CustomKind> custom = new ArrayList<>();
        for (Stored each : stored.list("")) {
            if (isEstablished(each.tree())) {
                CustomKind kind = CustomKind.from(each.tree());
                custom.add(kind);
                // A kind whose definition is leaving takes no new objects.
                all.addAll(CustomRules.serve(
                        kind, Meta.deletionTimestamp(each.tree()).isPresent()));
            }
        }
        return new Catalog(all, custom);
    }

    private static boolean isEstablished(JsonNode definition) {
        return Trees.objects(definition, "status", "conditions").stream()
                .anyMatch(each -> Trees.text(each, "type").equals("Established")
                        && Trees.text(each, "status").equals("True"));
    }

    private static boolean isOffered(KindSchema kind) {
        return kind.served() || ONLY_SENT.contains(kind.group() + "/" + kind.kind());
    }

    private record Known(long change, Catalog catalog) {}
}
