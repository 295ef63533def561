package dev.berth.sandbox.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ResourceSnapshot;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The kinds that are served now. They are computed again when a CustomResourceDefinition has changed, so that a kind is
 * served from the first request after it is established.
 */
public final class KindRegistry {

    /** The resource of CustomResourceDefinitions. */
    public static final GroupResource CUSTOM_RESOURCE_DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    /** Kinds that are never stored, but have a path. */
    private static final Set<String> UNSTORED_KINDS = Set.of(
            "/Binding", "authentication.k8s.io/SelfSubjectReview", "authorization.k8s.io/SelfSubjectAccessReview");

    private final List<ServedKind> builtIn;
    private final ResourceStorage definitions;

    private volatile CachedKinds cached;

    /** The kinds of these schemas and of the definitions in the store, which may use these groups without a dot. */
    public KindRegistry(BuiltInSchemas schemas, Set<String> groups, Store store) {
        ProtobufCodec codec = SharedProtobufCodec.forSchemas(schemas);
        this.builtIn = schemas.kinds().stream()
                .filter(kind -> kind.isResource() && isServed(kind))
                .map(kind -> BuiltInRestStrategy.servedKind(kind, codec, groups))
                .toList();
        this.definitions = store.resource(CUSTOM_RESOURCE_DEFINITIONS);
        this.cached = new CachedKinds(definitions.lastRevision(), new ServedKinds(builtIn, List.of()));
    }

    /** What is served now. */
    public ServedKinds current() {
        CachedKinds now = cached;
        long change = definitions.lastRevision();
        if (now.change() != change) {
            now = new CachedKinds(change, buildServedKinds(definitions.snapshot()));
            cached = now;
        }
        return now.servedKinds();
    }

    private ServedKinds buildServedKinds(ResourceSnapshot stored) {
        List<ServedKind> all = new ArrayList<>(builtIn);
        List<CustomKind> custom = new ArrayList<>();
        for (StoredObject each : stored.list("")) {
            if (isEstablished(each.tree())) {
                CustomKind kind = CustomKind.from(each.tree());
                custom.add(kind);
                // A kind whose definition is terminating accepts no new objects.
                all.addAll(CustomResourceStrategy.servedKinds(
                        kind, ObjectMetaReader.deletionTimestamp(each.tree()).isPresent()));
            }
        }
        return new ServedKinds(all, custom);
    }

    private static boolean isEstablished(JsonNode definition) {
        return NestedFields.objects(definition, "status", "conditions").stream()
                .anyMatch(each -> NestedFields.text(each, "type").equals("Established")
                        && NestedFields.text(each, "status").equals("True"));
    }

    private static boolean isServed(KindSchema kind) {
        return kind.isServed() || UNSTORED_KINDS.contains(kind.group() + "/" + kind.kind());
    }

    private record CachedKinds(long change, ServedKinds servedKinds) {}
}
