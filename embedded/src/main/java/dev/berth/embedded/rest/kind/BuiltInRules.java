package dev.berth.embedded.rest.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.DefinitionChecks;
import dev.berth.embedded.crd.ScalePaths;
import dev.berth.embedded.crd.UnevaluatedRules;
import dev.berth.embedded.defaults.Defaults;
import dev.berth.embedded.defaults.Strategies;
import dev.berth.embedded.protobuf.EncodedObject;
import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.embedded.rest.select.SelectableFields;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.KindSchema;
import dev.berth.embedded.schema.Offer;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.json.BodyDecoder;
import dev.berth.embedded.schema.json.BodyFormat;
import dev.berth.embedded.schema.json.Decoded;
import dev.berth.embedded.schema.value.DecodingException;
import dev.berth.embedded.store.Encoding;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.table.TableLayout;
import dev.berth.embedded.table.Tables;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.Validation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The rules of a kind that is part of Kubernetes. */
final class BuiltInRules implements KindRules {

    private static final BodyDecoder DECODER = new BodyDecoder(BuiltInSchemas.load());
    private static final Set<String> CONDITIONAL_ONLY = Set.of(
            "node.k8s.io/RuntimeClass",
            "policy/PodDisruptionBudget",
            "storage.k8s.io/CSIDriver",
            "storage.k8s.io/CSIStorageCapacity",
            "storage.k8s.io/VolumeAttachment",
            "storage.k8s.io/CSINode",
            "coordination.k8s.io/Lease",
            "admissionregistration.k8s.io/MutatingWebhookConfiguration",
            "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
            "apiextensions.k8s.io/CustomResourceDefinition",
            "apiregistration.k8s.io/APIService");
    private static final Set<String> CREATED_BY_UPDATE = Set.of(
            "node.k8s.io/RuntimeClass",
            "rbac.authorization.k8s.io/Role",
            "rbac.authorization.k8s.io/RoleBinding",
            "rbac.authorization.k8s.io/ClusterRole",
            "rbac.authorization.k8s.io/ClusterRoleBinding",
            "coordination.k8s.io/Lease",
            "/LimitRange",
            "/Event",
            "events.k8s.io/Event",
            "/Service",
            "/Endpoints");
    private static final Set<String> SHOWN_WHEN_DELETED = Set.of(
            "/Pod",
            "/Namespace",
            "/Service",
            "/ServiceAccount",
            "/ResourceQuota",
            "/PersistentVolume",
            "/PersistentVolumeClaim",
            "/PodTemplate",
            "storage.k8s.io/StorageClass",
            "storage.k8s.io/CSIDriver",
            "storage.k8s.io/CSINode",
            "storage.k8s.io/VolumeAttachment");

    private final KindSchema schema;
    private final ProtobufCodec codec;
    private final Set<String> groups;
    private final String name;
    private final TableLayout table;
    private final SelectableFields fields;
    private final UnaryOperator<ObjectNode> toServed;
    private final UnaryOperator<ObjectNode> toStored;
    private final Encoding<byte[]> json;
    private final Encoding<EncodedObject> protobuf;

    private BuiltInRules(KindSchema schema, ProtobufCodec codec, Set<String> groups) {
        this.schema = schema;
        this.codec = codec;
        this.groups = groups;
        this.name = schema.group() + "/" + schema.kind();
        boolean otherForm = name.equals("events.k8s.io/Event");
        // Tables and field selectors read the stored form, which is the core group's.
        this.table = otherForm ? Tables.layout("", "Event") : Tables.layout(schema.group(), schema.kind());
        this.fields = SelectableFields.of(schema.group(), schema.kind());
        this.toServed = otherForm ? EventForms::toNew : UnaryOperator.identity();
        this.toStored = otherForm ? EventForms::toCore : UnaryOperator.identity();
        this.protobuf = tree -> codec.encode(schema.gvk(), toServed.apply(tree));
        this.json = otherForm ? tree -> Json.write(EventForms.toNew(tree)) : Json.ENCODING;
    }

    /**
     * The kind as it is served.
     *
     * @param groups those that definitions may use although their names have no dot
     */
    static ServedKind serve(KindSchema schema, ProtobufCodec codec, Set<String> groups) {
        GroupVersionKind gvk = schema.gvk();
        String group = gvk.group().equals("events.k8s.io") ? "" : gvk.group();
        return new ServedKind(
                gvk,
                gvk.kind() + "List",
                schema.names(),
                schema.namespaced(),
                offered(schema.offer()),
                new ResourceId(group, schema.plural()),
                new BuiltInRules(schema, codec, groups));
    }

    /** Without the subresources this server has no use for. */
    private static Offer offered(Offer all) {
        return new Offer(
                all.served(),
                all.verbs(),
                all.subresources().stream()
                        .filter(each -> !each.name().equals("token"))
                        .toList());
    }

    @Override
    public Optional<ScalePaths> scale() {
        return Optional.empty();
    }

    @Override
    public Optional<StructSchema> struct() {
        return Optional.of(schema.object());
    }

    @Override
    public Decoded decode(byte[] body, BodyFormat format) throws DecodingException {
        return DECODER.decode(body, format, schema.gvk(), schema.object());
    }

    @Override
    public Decoded decode(JsonNode tree) throws DecodingException {
        return DECODER.decode(tree, schema.gvk(), schema.object());
    }

    @Override
    public void applyDefaults(ObjectNode own) {
        Defaults.apply(schema, own);
    }

    @Override
    public void prepareCreate(ObjectNode own) {
        Strategies.onCreate(schema, own);
    }

    @Override
    public void prepareUpdate(ObjectNode before, ObjectNode own) {
        Strategies.onUpdate(schema, before, own);
    }

    @Override
    public void prepareStatusUpdate(ObjectNode before, ObjectNode own) {
        Strategies.onStatusUpdate(schema, before, own);
    }

    @Override
    public List<FieldError> validateCreate(ObjectNode object) {
        return excused(object, Validation.onCreate(schema.group(), schema.version(), schema.kind(), object));
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
        return excused(after, Validation.onUpdate(schema.group(), schema.version(), schema.kind(), before, after));
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after) {
        return Validation.onStatusUpdate(schema.group(), schema.version(), schema.kind(), before, after);
    }

    private List<FieldError> excused(ObjectNode object, List<FieldError> errors) {
        String group = Trees.text(object, "spec", "group");
        if (errors.isEmpty() || !isDefinition() || !groups.contains(group)) {
            return errors;
        }
        FieldError dotless = DefinitionChecks.dotless(group);
        return errors.stream().filter(each -> !each.equals(dotless)).toList();
    }

    private boolean isDefinition() {
        return name.equals("apiextensions.k8s.io/CustomResourceDefinition");
    }

    @Override
    public ObjectNode decodeProtobuf(byte[] body) throws DecodingException {
        return codec.decode(body, schema.gvk());
    }

    @Override
    public ObjectNode served(ObjectNode stored) {
        return toServed.apply(stored);
    }

    @Override
    public ObjectNode stored(ObjectNode own) {
        return toStored.apply(own);
    }

    @Override
    public Encoding<byte[]> json() {
        return json;
    }

    @Override
    public Optional<Encoding<EncodedObject>> protobuf() {
        return Optional.of(protobuf);
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
        return !CONDITIONAL_ONLY.contains(name);
    }

    @Override
    public boolean allowsCreateOnUpdate() {
        return CREATED_BY_UPDATE.contains(name);
    }

    @Override
    public boolean answersDeletedObject() {
        return SHOWN_WHEN_DELETED.contains(name);
    }

    @Override
    public List<String> warnings() {
        return List.of();
    }

    @Override
    public List<String> warningsFor(ObjectNode object) {
        return isDefinition() ? UnevaluatedRules.in(object) : List.of();
    }
}
