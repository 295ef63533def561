package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.protobuf.EncodedObject;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.kind.Protobuf;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.store.Encoding;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.table.IncludeObject;
import dev.berth.embedded.table.TableLayout;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Writes objects and lists in the form a client asked for. */
public final class Presenter {

    private final InstantSource clock;

    public Presenter(InstantSource clock) {
        this.clock = clock;
    }

    /** One stored object of a kind. */
    public Answer object(int code, Look look, Stored stored) {
        ServedKind kind = look.kind();
        Format format = look.format();
        Supplier<ObjectNode> served = () -> kind.rules().served(stored.tree());
        return switch (format.shape()) {
            case TABLE -> tree(code, format, table(look, List.of(stored.tree()), single(stored)));
            case PARTIAL -> tree(code, format, partial(served.get()));
            case PLAIN ->
                switch (format.media()) {
                    case JSON ->
                        Answer.of(
                                code,
                                Media.JSON.mime(),
                                () -> List.of(stored.encoded(kind.rules().json())),
                                served);
                    case YAML -> tree(code, format, served.get());
                    case PROTOBUF ->
                        Answer.of(
                                code,
                                Media.PROTOBUF.mime(),
                                () -> List.of(encoded(kind, stored).envelope()),
                                served);
                };
        };
    }

    /** A list of stored objects of a kind. */
    public Answer list(Look look, ObjectList list) {
        ServedKind kind = look.kind();
        Format format = look.format();
        return switch (format.shape()) {
            case TABLE ->
                tree(
                        200,
                        format,
                        table(look, list.items().stream().map(Stored::tree).toList(), list.metadata()));
            case PARTIAL -> tree(200, format, partialList(kind, list));
            case PLAIN ->
                switch (format.media()) {
                    case JSON ->
                        Answer.of(200, Media.JSON.mime(), () -> jsonList(kind, list), () -> listTree(kind, list));
                    case YAML -> tree(200, format, listTree(kind, list));
                    case PROTOBUF ->
                        Answer.of(
                                200, Media.PROTOBUF.mime(), () -> protobufList(kind, list), () -> listTree(kind, list));
                };
        };
    }

    /** Any other object: a Status, a Scale, a Table. */
    public Answer tree(int code, Format format, ObjectNode tree) {
        return Answer.of(code, format.media().mime(), () -> List.of(Codec.encode(format.media(), tree)), () -> tree);
    }

    static EncodedObject encoded(ServedKind kind, Stored stored) {
        return stored.encoded(kind.rules()
                .protobuf()
                .orElseThrow(() -> new IllegalStateException("kind (" + kind + ") has no protobuf form")));
    }

    static ObjectNode partial(ObjectNode served) {
        ObjectNode partial = JsonNodeFactory.instance.objectNode();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", served.path("metadata"));
        return partial;
    }

    ObjectNode table(Look look, List<ObjectNode> stored, ObjectNode metadata) {
        ServedKind kind = look.kind();
        List<ObjectNode> objects = look.include() == IncludeObject.OBJECT
                ? stored.stream().map(kind.rules()::served).toList()
                : stored;
        ObjectNode table = kind.rules().table().table(objects, look.include(), clock.instant());
        return TableLayout.listed(table, metadata);
    }

    static ObjectNode single(Stored stored) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        return metadata.put("resourceVersion", Meta.resourceVersion(stored.tree()));
    }

    private static ObjectNode partialList(ServedKind kind, ObjectList list) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
        tree.set("metadata", list.metadata());
        ArrayNode items = tree.putArray("items");
        list.items().forEach(item -> items.add(partial(kind.rules().served(item.tree()))));
        return tree;
    }

    private static ObjectNode listTree(ServedKind kind, ObjectList list) {
        ObjectNode tree = listHead(kind, list);
        ArrayNode items = tree.putArray("items");
        for (Stored item : list.items()) {
            ObjectNode served = kind.rules().served(item.tree());
            items.add(isBuiltIn(kind) ? withoutType(served) : served);
        }
        return tree;
    }

    /** Items of built-in kinds do not repeat what the list says already; those of custom kinds do. */
    private static boolean isBuiltIn(ServedKind kind) {
        return kind.rules().protobuf().isPresent();
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
        Encoding<byte[]> encoding = kind.rules().json();
        byte[] type = isBuiltIn(kind) ? typeOf(kind) : new byte[0];
        boolean first = true;
        for (Stored item : list.items()) {
            if (!first) {
                pieces.add(comma);
            }
            first = false;
            pieces.add(withoutStart(item.encoded(encoding), type));
        }
        pieces.add(new byte[] {']', '}'});
        return pieces;
    }

    /** How an encoded object of this kind begins. */
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
        List<EncodedObject> items =
                list.items().stream().map(item -> encoded(kind, item)).toList();
        GroupVersionKind listGvk = kind.gvk().withKind(kind.listKind());
        return List.of(Protobuf.CODEC.encodeList(listGvk, list.metadata(), items));
    }
}
