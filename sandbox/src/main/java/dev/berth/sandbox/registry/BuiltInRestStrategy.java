package dev.berth.sandbox.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CrdChecks;
import dev.berth.sandbox.apiextensions.ScalePaths;
import dev.berth.sandbox.apiextensions.UnevaluatedCelRules;
import dev.berth.sandbox.defaulting.Defaults;
import dev.berth.sandbox.defaulting.WritePreparation;
import dev.berth.sandbox.printers.TableConvertor;
import dev.berth.sandbox.printers.TableConvertors;
import dev.berth.sandbox.protobuf.EncodedProtobuf;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.schema.ResourceCapabilities;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.json.BodyDecoder;
import dev.berth.sandbox.schema.json.BodyFormat;
import dev.berth.sandbox.schema.json.DecodedObject;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.selector.SelectableFields;
import dev.berth.sandbox.storage.Encoding;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The strategy of a built-in kind. */
final class BuiltInRestStrategy implements RestStrategy {

    private static final BodyDecoder DECODER = new BodyDecoder(BuiltInSchemas.load());
    private static final Set<String> REQUIRE_RESOURCE_VERSION = Set.of(
            "policy/PodDisruptionBudget",
            "storage.k8s.io/CSIDriver",
            "storage.k8s.io/CSIStorageCapacity",
            "storage.k8s.io/VolumeAttachment",
            "storage.k8s.io/CSINode",
            "coordination.k8s.io/Lease",
            "admissionregistration.k8s.io/MutatingWebhookConfiguration",
            "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
            "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
            "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
            "apiextensions.k8s.io/CustomResourceDefinition",
            "apiregistration.k8s.io/APIService");
    private static final Set<String> ALLOW_CREATE_ON_UPDATE = Set.of(
            "rbac.authorization.k8s.io/Role",
            "rbac.authorization.k8s.io/RoleBinding",
            "rbac.authorization.k8s.io/ClusterRole",
            "rbac.authorization.k8s.io/ClusterRoleBinding",
            "coordination.k8s.io/Lease",
            "/Event",
            "events.k8s.io/Event",
            "/Service");
    private static final Set<String> RETURN_DELETED_OBJECT = Set.of(
            "/Pod",
            "/Namespace",
            "/Service",
            "/ServiceAccount",
            "/PersistentVolume",
            "/PersistentVolumeClaim",
            "storage.k8s.io/StorageClass",
            "storage.k8s.io/CSIDriver",
            "storage.k8s.io/CSINode",
            "storage.k8s.io/VolumeAttachment");

    private final KindSchema schema;
    private final ProtobufCodec codec;
    private final Set<String> groups;
    private final String name;
    private final TableConvertor table;
    private final SelectableFields fields;
    private final UnaryOperator<ObjectNode> toServed;
    private final UnaryOperator<ObjectNode> toStored;
    private final Encoding<byte[]> json;
    private final Encoding<EncodedProtobuf> protobuf;

    private BuiltInRestStrategy(KindSchema schema, ProtobufCodec codec, Set<String> groups) {
        this.schema = schema;
        this.codec = codec;
        this.groups = groups;
        this.name = schema.group() + "/" + schema.kind();
        boolean otherForm = name.equals("events.k8s.io/Event");
        // Tables and field selectors read the stored form, which is the core group's.
        this.table =
                otherForm ? TableConvertors.find("", "Event") : TableConvertors.find(schema.group(), schema.kind());
        this.fields = SelectableFields.forBuiltIn(schema.group(), schema.kind());
        this.toServed = otherForm ? EventConversion::toEventsV1 : UnaryOperator.identity();
        this.toStored = otherForm ? EventConversion::toCore : UnaryOperator.identity();
        this.protobuf = tree -> codec.encode(schema.gvk(), toServed.apply(tree));
        this.json = otherForm ? tree -> JsonText.write(EventConversion.toEventsV1(tree)) : Encoding.JSON;
    }

    /**
     * The built-in kind as the server serves it.
     *
     * @param groups the groups without a dot that CustomResourceDefinitions may use
     */
    static ServedKind servedKind(KindSchema schema, ProtobufCodec codec, Set<String> groups) {
        GroupVersionKind gvk = schema.gvk();
        String group = gvk.group().equals("events.k8s.io") ? "" : gvk.group();
        return new ServedKind(
                gvk,
                gvk.kind() + "List",
                schema.names(),
                schema.namespaced(),
                withServedSubresources(schema.capabilities()),
                new GroupResource(group, schema.plural()),
                new BuiltInRestStrategy(schema, codec, groups));
    }

    /** The subresources that this server supports. */
    private static ResourceCapabilities withServedSubresources(ResourceCapabilities all) {
        return new ResourceCapabilities(
                all.served(),
                all.verbs(),
                all.subresources().stream()
                        .filter(each -> !each.name().equals("token"))
                        .toList());
    }

    @Override
    public Optional<ScalePaths> scalePaths() {
        return Optional.empty();
    }

    @Override
    public Optional<StructSchema> struct() {
        return Optional.of(schema.object());
    }

    @Override
    public DecodedObject decode(byte[] body, BodyFormat format) throws DecodingException {
        return DECODER.decode(body, format, schema.gvk(), schema.object());
    }

    @Override
    public DecodedObject decode(JsonNode tree) throws DecodingException {
        return DECODER.decode(tree, schema.gvk(), schema.object());
    }

    @Override
    public void applyDefaults(ObjectNode mutable) {
        Defaults.apply(schema, mutable);
    }

    @Override
    public void prepareForCreate(ObjectNode mutable) {
        WritePreparation.prepareForCreate(schema, mutable);
    }

    @Override
    public void prepareForUpdate(ObjectNode before, ObjectNode mutable) {
        WritePreparation.prepareForUpdate(schema, before, mutable);
    }

    @Override
    public void prepareForStatusUpdate(ObjectNode before, ObjectNode mutable) {
        WritePreparation.prepareForStatusUpdate(schema, before, mutable);
    }

    @Override
    public List<FieldError> validateCreate(ObjectNode object) {
        return withoutAllowedGroupErrors(
                object, BuiltInValidation.validateCreate(schema.group(), schema.version(), schema.kind(), object));
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode before, ObjectNode after) {
        return withoutAllowedGroupErrors(
                after,
                BuiltInValidation.validateUpdate(schema.group(), schema.version(), schema.kind(), before, after));
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after) {
        return BuiltInValidation.validateStatusUpdate(schema.group(), schema.version(), schema.kind(), before, after);
    }

    private List<FieldError> withoutAllowedGroupErrors(ObjectNode object, List<FieldError> errors) {
        String group = NestedFields.text(object, "spec", "group");
        if (errors.isEmpty() || !isCrd() || !groups.contains(group)) {
            return errors;
        }
        FieldError dotless = CrdChecks.dotlessGroupError(group);
        return errors.stream().filter(each -> !each.equals(dotless)).toList();
    }

    private boolean isCrd() {
        return name.equals("apiextensions.k8s.io/CustomResourceDefinition");
    }

    @Override
    public ObjectNode decodeProtobuf(byte[] body) throws DecodingException {
        return codec.decode(body, schema.gvk());
    }

    @Override
    public ObjectNode toServed(ObjectNode stored) {
        return toServed.apply(stored);
    }

    @Override
    public ObjectNode toStored(ObjectNode mutable) {
        return toStored.apply(mutable);
    }

    @Override
    public Encoding<byte[]> jsonEncoding() {
        return json;
    }

    @Override
    public Optional<Encoding<EncodedProtobuf>> protobufEncoding() {
        return Optional.of(protobuf);
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
    public boolean allowsUnconditionalUpdate() {
        return !REQUIRE_RESOURCE_VERSION.contains(name);
    }

    @Override
    public boolean allowsCreateOnUpdate() {
        return ALLOW_CREATE_ON_UPDATE.contains(name);
    }

    @Override
    public boolean returnsDeletedObject() {
        return RETURN_DELETED_OBJECT.contains(name);
    }

    @Override
    public List<String> warningsOnWrite(ObjectNode object) {
        if (isCrd()) {
            return UnevaluatedCelRules.warnings(object);
        }
        return name.equals("admissionregistration.k8s.io/ValidatingAdmissionPolicy")
                ? UnevaluatedPolicy.warnings(object)
                : List.of();
    }
}
