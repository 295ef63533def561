package dev.berth.sandbox.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.apiextensions.CustomVersion;
import dev.berth.sandbox.apiextensions.ScalePaths;
import dev.berth.sandbox.printers.TableConvertor;
import dev.berth.sandbox.protobuf.EncodedProtobuf;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.ResourceCapabilities;
import dev.berth.sandbox.schema.ResourceNames;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.Subresource;
import dev.berth.sandbox.schema.json.BodyFormat;
import dev.berth.sandbox.schema.json.DecodedObject;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.selector.SelectableFields;
import dev.berth.sandbox.storage.Encoding;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The strategy of one version of a custom kind. */
final class CustomResourceStrategy implements RestStrategy {

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
    private final TableConvertor table;
    private final SelectableFields fields;
    private final Encoding<byte[]> json;

    private CustomResourceStrategy(CustomVersion version, CustomVersion storage, GroupVersionKind gvk) {
        this.version = version;
        this.storage = storage;
        this.gvk = gvk;
        this.apiVersion = gvk.apiVersion();
        this.storedApiVersion = gvk.group() + "/" + storage.name();
        this.table = version.tableConvertor();
        this.fields = SelectableFields.forCustomKind(Set.copyOf(version.selectableFields()));
        this.json = apiVersion.equals(storedApiVersion) ? Encoding.JSON : tree -> JsonText.write(toServed(tree));
    }

    /** The served kinds of a definition, one for each served version. */
    static List<ServedKind> servedKinds(CustomKind custom, boolean terminating) {
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
                        new ResourceCapabilities(
                                true, terminating ? WITHOUT_CREATE : VERBS, subresources(version, gvk)),
                        new GroupResource(custom.group(), custom.names().plural()),
                        new CustomResourceStrategy(version, storage, gvk)));
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
    public Optional<ScalePaths> scalePaths() {
        return version.scale();
    }

    @Override
    public Optional<StructSchema> struct() {
        return Optional.empty();
    }

    @Override
    public DecodedObject decode(byte[] body, BodyFormat format) throws DecodingException {
        return prune(CustomObjectDecoder.decode(body, format, gvk));
    }

    @Override
    public DecodedObject decode(JsonNode tree) throws DecodingException {
        return prune(CustomObjectDecoder.check(tree.deepCopy(), gvk));
    }

    @Override
    public ObjectNode decodeProtobuf(byte[] body) throws DecodingException {
        throw new DecodingException("custom kinds have no form in protobuf");
    }

    private DecodedObject prune(ObjectNode mutable) {
        List<String> unknown = version.prune(mutable).stream()
                .map(path -> "unknown field \"" + path + "\"")
                .toList();
        return new DecodedObject(mutable, unknown);
    }

    @Override
    public void applyDefaults(ObjectNode mutable) {
        version.applyDefaults(mutable);
    }

    @Override
    public void prepareForCreate(ObjectNode mutable) {
        if (version.hasStatus()) {
            mutable.remove("status");
        }
        ObjectMetaEditor.mutableMetadata(mutable).put("generation", 1);
    }

    @Override
    public void prepareForUpdate(ObjectNode before, ObjectNode mutable) {
        if (version.hasStatus()) {
            keepField("status", before, mutable);
        }
        boolean changed = !withoutMetadata(before).equals(withoutMetadata(mutable));
        NestedFields.putNumber(
                ObjectMetaEditor.mutableMetadata(mutable),
                "generation",
                ObjectMetaReader.generation(before) + (changed ? 1 : 0));
    }

    @Override
    public void prepareForStatusUpdate(ObjectNode before, ObjectNode mutable) {
        JsonNode status = mutable.get("status");
        String resourceVersion = ObjectMetaReader.resourceVersion(mutable);
        mutable.removeAll();
        mutable.setAll(ObjectMetaEditor.shallowCopy(before));
        ObjectMetaEditor.mutableMetadata(mutable).put("resourceVersion", resourceVersion);
        if (status == null) {
            mutable.remove("status");
        } else {
            mutable.set("status", status);
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
    public ObjectNode toServed(ObjectNode stored) {
        if (apiVersion.equals(storedApiVersion)) {
            return stored;
        }
        ObjectNode shown = stored.deepCopy().put("apiVersion", apiVersion);
        version.prune(shown);
        return shown;
    }

    @Override
    public ObjectNode toStored(ObjectNode mutable) {
        if (apiVersion.equals(storedApiVersion)) {
            return mutable;
        }
        // Fields that only this version has are pruned, and defaults of the storage version are applied. The storage
        // version does not validate.
        ObjectNode kept = mutable.deepCopy().put("apiVersion", storedApiVersion);
        storage.prune(kept);
        storage.applyDefaults(kept);
        return kept;
    }

    @Override
    public Encoding<byte[]> jsonEncoding() {
        return json;
    }

    @Override
    public Optional<Encoding<EncodedProtobuf>> protobufEncoding() {
        return Optional.empty();
    }

    @Override
    public TableConvertor tableConvertor() {
        return table;
    }

    @Override
    public SelectableFields selectableFields() {
        return fields;
    }

    @Override
    public List<String> warnings() {
        return version.deprecationWarning().stream().toList();
    }

    private static void keepField(String field, ObjectNode before, ObjectNode mutable) {
        JsonNode old = before.get(field);
        if (old == null) {
            mutable.remove(field);
        } else {
            mutable.set(field, old);
        }
    }

    private static ObjectNode withoutMetadata(ObjectNode tree) {
        ObjectNode rest = tree.objectNode();
        rest.setAll(tree);
        rest.remove(List.of("metadata", "apiVersion", "kind"));
        return rest;
    }
}
