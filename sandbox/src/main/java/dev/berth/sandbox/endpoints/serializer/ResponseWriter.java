package dev.berth.sandbox.endpoints.serializer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.printers.IncludeObject;
import dev.berth.sandbox.printers.TableConvertor;
import dev.berth.sandbox.protobuf.EncodedProtobuf;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.registry.SharedProtobufCodec;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.storage.Encoding;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Writes objects and lists in the negotiated format. */
public final class ResponseWriter {

    private final InstantSource clock;

    public ResponseWriter(InstantSource clock) {
        this.clock = clock;
    }

    /** One stored object of a kind. */
    public BodyResponse object(int code, NegotiatedOutput negotiatedOutput, StoredObject storedObject) {
        ServedKind kind = negotiatedOutput.kind();
        ResponseFormat format = negotiatedOutput.format();
        Supplier<ObjectNode> served = () -> kind.strategy().toServed(storedObject.tree());
        return switch (format.shape()) {
            case TABLE ->
                tree(code, format, table(negotiatedOutput, List.of(storedObject.tree()), singleMetadata(storedObject)));
            case PARTIAL_METADATA -> tree(code, format, partialMetadata(served.get()));
            case PLAIN ->
                switch (format.mediaType()) {
                    case JSON ->
                        BodyResponse.of(
                                code,
                                MediaType.JSON.mime(),
                                () -> List.of(
                                        storedObject.encodedAs(kind.strategy().jsonEncoding())),
                                served);
                    case YAML -> tree(code, format, served.get());
                    case PROTOBUF ->
                        BodyResponse.of(
                                code,
                                MediaType.PROTOBUF.mime(),
                                () -> List.of(encoded(kind, storedObject).envelope()),
                                served);
                };
        };
    }

    /** A list of stored objects of a kind. */
    public BodyResponse list(NegotiatedOutput negotiatedOutput, ObjectList list) {
        ServedKind kind = negotiatedOutput.kind();
        ResponseFormat format = negotiatedOutput.format();
        return switch (format.shape()) {
            case TABLE ->
                tree(
                        200,
                        format,
                        table(
                                negotiatedOutput,
                                list.items().stream().map(StoredObject::tree).toList(),
                                list.metadata()));
            case PARTIAL_METADATA -> tree(200, format, partialList(kind, list));
            case PLAIN ->
                switch (format.mediaType()) {
                    case JSON ->
                        BodyResponse.of(
                                200, MediaType.JSON.mime(), () -> jsonList(kind, list), () -> listTree(kind, list));
                    case YAML -> tree(200, format, listTree(kind, list));
                    case PROTOBUF ->
                        BodyResponse.of(
                                200,
                                MediaType.PROTOBUF.mime(),
                                () -> protobufList(kind, list),
                                () -> listTree(kind, list));
                };
        };
    }

    /** Any other object: a Status, a Scale, a Table. */
    public BodyResponse tree(int code, ResponseFormat format, ObjectNode tree) {
        return BodyResponse.of(
                code,
                format.mediaType().mime(),
                () -> List.of(ObjectEncoder.encode(format.mediaType(), tree)),
                () -> tree);
    }

    static EncodedProtobuf encoded(ServedKind kind, StoredObject storedObject) {
        return storedObject.encodedAs(kind.strategy()
                .protobufEncoding()
                .orElseThrow(() -> new IllegalStateException("kind (" + kind + ") has no protobuf form")));
    }

    static ObjectNode partialMetadata(ObjectNode served) {
        ObjectNode partial = JsonNodeFactory.instance.objectNode();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", served.path("metadata"));
        return partial;
    }

    ObjectNode table(NegotiatedOutput negotiatedOutput, List<ObjectNode> stored, ObjectNode metadata) {
        ServedKind kind = negotiatedOutput.kind();
        List<ObjectNode> objects = negotiatedOutput.includeObject() == IncludeObject.OBJECT
                ? stored.stream().map(kind.strategy()::toServed).toList()
                : stored;
        ObjectNode table = kind.strategy()
                .tableConvertor()
                .convertToTable(objects, negotiatedOutput.includeObject(), clock.instant());
        return TableConvertor.withListMetadata(table, metadata);
    }

    static ObjectNode singleMetadata(StoredObject storedObject) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        return metadata.put("resourceVersion", ObjectMetaReader.resourceVersion(storedObject.tree()));
    }

    private static ObjectNode partialList(ServedKind kind, ObjectList list) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
        tree.set("metadata", list.metadata());
        ArrayNode items = tree.putArray("items");
        list.items().forEach(item -> items.add(partialMetadata(kind.strategy().toServed(item.tree()))));
        return tree;
    }

    private static ObjectNode listTree(ServedKind kind, ObjectList list) {
        ObjectNode tree = listHead(kind, list);
        ArrayNode items = tree.putArray("items");
        for (StoredObject item : list.items()) {
            ObjectNode served = kind.strategy().toServed(item.tree());
            items.add(isBuiltIn(kind) ? withoutType(served) : served);
        }
        return tree;
    }

    /** Items of built-in kinds omit apiVersion and kind; items of custom kinds have them. */
    private static boolean isBuiltIn(ServedKind kind) {
        return kind.strategy().protobufEncoding().isPresent();
    }

    private static ObjectNode withoutType(ObjectNode served) {
        ObjectNode bare = JsonNodeFactory.instance.objectNode();
        bare.setAll(served);
        return bare.without(List.of("kind", "apiVersion"));
    }

    private static ObjectNode listHead(ServedKind kind, ObjectList list) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", kind.listKind()).put("apiVersion", kind.gvk().apiVersion());
        tree.set("metadata", list.metadata());
        return tree;
    }

    private static List<byte[]> jsonList(ServedKind kind, ObjectList list) {
        String head = listHead(kind, list).toString();
        List<byte[]> pieces = new ArrayList<>(2 * list.items().size() + 2);
        pieces.add((head.substring(0, head.length() - 1) + ",\"items\":[").getBytes(StandardCharsets.UTF_8));
        byte[] comma = {','};
        Encoding<byte[]> encoding = kind.strategy().jsonEncoding();
        byte[] type = isBuiltIn(kind) ? typeOf(kind) : new byte[0];
        boolean first = true;
        for (StoredObject item : list.items()) {
            if (!first) {
                pieces.add(comma);
            }
            first = false;
            pieces.add(withoutStart(item.encodedAs(encoding), type));
        }
        pieces.add(new byte[] {']', '}'});
        return pieces;
    }

    /** The beginning of an encoded object of this kind. */
    private static byte[] typeOf(ServedKind kind) {
        ObjectNode type = JsonNodeFactory.instance.objectNode();
        type.put("kind", kind.gvk().kind()).put("apiVersion", kind.gvk().apiVersion());
        String text = type.toString();
        return (text.substring(0, text.length() - 1) + ",").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] withoutStart(byte[] object, byte[] start) {
        if (start.length == 0
                || !Arrays.equals(object, 0, Math.min(start.length, object.length), start, 0, start.length)) {
            return object;
        }
        byte[] rest = Arrays.copyOfRange(object, start.length - 1, object.length);
        rest[0] = '{';
        return rest;
    }

    private static List<byte[]> protobufList(ServedKind kind, ObjectList list) {
        List<EncodedProtobuf> items =
                list.items().stream().map(item -> encoded(kind, item)).toList();
        GroupVersionKind listGvk = kind.gvk().withKind(kind.listKind());
        return List.of(SharedProtobufCodec.CODEC.encodeList(listGvk, list.metadata(), items));
    }
}
