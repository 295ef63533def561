package dev.berth.embedded.rest.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.CustomKind;
import dev.berth.embedded.crd.CustomVersion;
import dev.berth.embedded.crd.ScalePaths;
import dev.berth.embedded.protobuf.EncodedObject;
import dev.berth.embedded.rest.select.SelectableFields;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.Offer;
import dev.berth.embedded.schema.ResourceNames;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.Subresource;
import dev.berth.embedded.schema.json.BodyFormat;
import dev.berth.embedded.schema.json.Decoded;
import dev.berth.embedded.schema.value.DecodingException;
import dev.berth.embedded.store.Encoding;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.table.TableLayout;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of a kind that a CustomResourceDefinition brought, in one of its versions. */
final class CustomRules implements KindRules {

    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final List<String> WITHOUT_CREATE =
            VERBS.stream().filter(verb -> !verb.equals("create")).toList();
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    private final CustomVersion version;
    private final CustomVersion storage;
    private final GroupVersionKind gvk;
    private final String apiVersion;
    private final String storedApiVersion;
    private final TableLayout table;
    private final SelectableFields fields;
    private final Encoding<byte[]> json;

    private CustomRules(CustomVersion version, CustomVersion storage, GroupVersionKind gvk) {
        this.version = version;
        this.storage = storage;
        this.gvk = gvk;
        this.apiVersion = gvk.apiVersion();
        this.storedApiVersion = gvk.group() + "/" + storage.name();
        this.table = version.table();
        this.fields = SelectableFields.ofCustom(Set.copyOf(version.selectableFields()));
        this.json = apiVersion.equals(storedApiVersion) ? Json.ENCODING : tree -> Json.write(served(tree));
    }

    /** The kinds a definition makes served, one for each served version. */
    static List<ServedKind> serve(CustomKind custom, boolean leaving) {
        CustomVersion storage = custom.storageVersion();
        List<ServedKind> all = new ArrayList<>();
        for (CustomVersion version : custom.versions()) {
            if (version.served()) {
                GroupVersionKind gvk = new GroupVersionKind(
                        custom.group(), version.name(), custom.names().kind());
                all.add(new ServedKind(
                        gvk,
                        custom.names().listKind(),
                        names(custom),
                        custom.namespaced(),
                        new Offer(true, leaving ? WITHOUT_CREATE : VERBS, subresources(version, gvk)),
                        new ResourceId(custom.group(), custom.names().plural()),
                        new CustomRules(version, storage, gvk)));
            }
        }
        return all;
    }

    private static ResourceNames names(CustomKind custom) {
        return new ResourceNames(
                custom.names().plural(),
                custom.names().singular(),
                custom.names().shortNames(),
                custom.names().categories());
    }

    private static List<Subresource> subresources(CustomVersion version, GroupVersionKind gvk) {
        List<Subresource> all = new ArrayList<>();
        if (version.hasStatus()) {
            all.add(new Subresource("status", gvk, SUBRESOURCE_VERBS));
        }
        if (version.scale().isPresent()) {
            all.add(new Subresource("scale", GroupVersionKind.of("autoscaling/v1", "Scale"), SUBRESOURCE_VERBS));
        }
        return all;
    }

    @Override
    public Optional<ScalePaths> scale() {
        return version.scale();
    }

    @Override
    public Optional<StructSchema> struct() {
        return Optional.empty();
    }

    @Override
    public Decoded decode(byte[] body, BodyFormat format) throws DecodingException {
        return pruned(CustomBodies.read(body, format, gvk));
    }

    @Override
    public Decoded decode(JsonNode tree) throws DecodingException {
        return pruned(CustomBodies.check(tree.deepCopy(), gvk));
    }

    @Override
    public ObjectNode decodeProtobuf(byte[] body) throws DecodingException {
        throw new DecodingException("custom kinds have no form in protobuf");
    }

    private Decoded pruned(ObjectNode own) {
        List<String> unknown = version.prune(own).stream()
                .map(path -> "unknown field \"" + path + "\"")
                .toList();
        return new Decoded(own, unknown);
    }

    @Override
    public void applyDefaults(ObjectNode own) {
        version.applyDefaults(own);
    }

    @Override
    public void prepareCreate(ObjectNode own) {
        if (version.hasStatus()) {
            own.remove("status");
        }
        Meta.of(own).put("generation", 1);
    }

    @Override
    public void prepareUpdate(ObjectNode before, ObjectNode own) {
        if (version.hasStatus()) {
            keep("status", before, own);
        }
        boolean changed = !withoutMetadata(before).equals(withoutMetadata(own));
        Trees.putNumber(Meta.of(own), "generation", Meta.generation(before) + (changed ? 1 : 0));
    }

    @Override
    public void prepareStatusUpdate(ObjectNode before, ObjectNode own) {
        JsonNode status = own.get("status");
        String resourceVersion = Meta.resourceVersion(own);
        own.removeAll();
        own.setAll(Meta.shallowCopy(before));
        Meta.of(own).put("resourceVersion", resourceVersion);
        if (status == null) {
            own.remove("status");
        } else {
            own.set("status", status);
        }
    }

    @Override
    public List<FieldError> validateCreate(ObjectNode object) {
        return version.validate(object);
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
        return version.validateUpdate(before, after);
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after) {
        return version.validateStatusUpdate(before, after);
    }

    @Override
    public ObjectNode served(ObjectNode stored) {
        if (apiVersion.equals(storedApiVersion)) {
            return stored;
        }
        ObjectNode shown = stored.deepCopy().put("apiVersion", apiVersion);
        version.prune(shown);
        return shown;
    }

    @Override
    public ObjectNode stored(ObjectNode own) {
        if (apiVersion.equals(storedApiVersion)) {
            return own;
        }
        // What only this version knows is lost here, and what only the storage version fills is filled; its other
        // demands are not made.
        ObjectNode kept = own.deepCopy().put("apiVersion", storedApiVersion);
        storage.prune(kept);
        storage.applyDefaults(kept);
        return kept;
    }

    @Override
    public Encoding<byte[]> json() {
        return json;
    }

    @Override
    public Optional<Encoding<EncodedObject>> protobuf() {
        return Optional.empty();
    }

    @Override
    public TableLayout table() {
        return table;
    }

    @Override
    public SelectableFields fields() {
        return fields;
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return false;
    }

    @Override
    public boolean allowsCreateOnUpdate() {
        return false;
    }

    @Override
    public boolean answersDeletedObject() {
        return false;
    }

    @Override
    public List<String> warnings() {
        return version.deprecationWarning().stream().toList();
    }

    @Override
    public List<String> warningsFor(ObjectNode object) {
        return List.of();
    }

    private static void keep(String field, ObjectNode before, ObjectNode own) {
        JsonNode old = before.get(field);
        if (old == null) {
            own.remove(field);
        } else {
            own.set(field, old);
        }
    }

    private static ObjectNode withoutMetadata(ObjectNode tree) {
        ObjectNode rest = tree.objectNode();
        rest.setAll(tree);
        rest.remove(List.of("metadata", "apiVersion", "kind"));
        return rest;
    }
}
