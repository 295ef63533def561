package dev.berth.sandbox.endpoints.serializer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.printers.TableConvertor;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes the events of one watch. Only the first Table has column definitions. */
public final class WatchEventEncoder {

    private static final byte[] JSON_END = {'}', '\n'};

    private final ResponseWriter responseWriter;
    private final NegotiatedOutput negotiatedOutput;
    private boolean headersSent;

    public WatchEventEncoder(ResponseWriter responseWriter, NegotiatedOutput negotiatedOutput) {
        this.responseWriter = responseWriter;
        this.negotiatedOutput = negotiatedOutput;
    }

    public String contentType() {
        return switch (negotiatedOutput.format().mediaType()) {
            case JSON, YAML -> MediaType.JSON.mime();
            case PROTOBUF -> MediaType.PROTOBUF.mime() + ";stream=watch";
        };
    }

    /** An event about an object. */
    public EncodedWatchEvent object(EncodedWatchEvent.Type type, StoredObject storedObject) {
        ServedKind kind = negotiatedOutput.kind();
        return switch (negotiatedOutput.format().shape()) {
            case PLAIN ->
                new EncodedWatchEvent(
                        type,
                        () -> kind.strategy().toServed(storedObject.tree()),
                        () -> plainFrame(type, storedObject));
            case PARTIAL_METADATA ->
                tree(type, ResponseWriter.partialMetadata(kind.strategy().toServed(storedObject.tree())));
            case TABLE ->
                tree(
                        type,
                        withHeadersOnce(responseWriter.table(
                                negotiatedOutput,
                                List.of(storedObject.tree()),
                                ResponseWriter.singleMetadata(storedObject))));
        };
    }

    /** A bookmark; after the initial events it says that they are complete. */
    public EncodedWatchEvent bookmark(long revision, boolean endsInitialEvents) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.put("resourceVersion", Long.toString(revision));
        metadata.putNull("creationTimestamp");
        if (endsInitialEvents) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", negotiatedOutput.kind().gvk().kind())
                .put("apiVersion", negotiatedOutput.kind().gvk().apiVersion());
        object.set("metadata", metadata);
        return switch (negotiatedOutput.format().shape()) {
            case PLAIN -> tree(EncodedWatchEvent.Type.BOOKMARK, object);
            case PARTIAL_METADATA -> tree(EncodedWatchEvent.Type.BOOKMARK, ResponseWriter.partialMetadata(object));
            case TABLE ->
                tree(
                        EncodedWatchEvent.Type.BOOKMARK,
                        withHeadersOnce(responseWriter.table(negotiatedOutput, List.of(), metadata)));
        };
    }

    /** The error event that ends the watch. */
    public EncodedWatchEvent error(ApiStatus status) {
        return tree(EncodedWatchEvent.Type.ERROR, status.tree());
    }

    private ObjectNode withHeadersOnce(ObjectNode table) {
        if (headersSent) {
            return TableConvertor.withoutHeaders(table);
        }
        headersSent = true;
        return table;
    }

    private EncodedWatchEvent tree(EncodedWatchEvent.Type type, ObjectNode tree) {
        return new EncodedWatchEvent(type, () -> tree, () -> switch (negotiatedOutput
                .format()
                .mediaType()) {
            case JSON, YAML -> jsonFrame(type, JsonText.write(tree));
            case PROTOBUF -> List.of(ProtobufCodec.watchFrame(type.name(), ObjectEncoder.protobuf(tree)));
        });
    }

    private List<byte[]> plainFrame(EncodedWatchEvent.Type type, StoredObject storedObject) {
        return switch (negotiatedOutput.format().mediaType()) {
            case JSON, YAML ->
                jsonFrame(
                        type,
                        storedObject.encodedAs(
                                negotiatedOutput.kind().strategy().jsonEncoding()));
            case PROTOBUF ->
                List.of(ProtobufCodec.watchFrame(
                        type.name(), ResponseWriter.encoded(negotiatedOutput.kind(), storedObject)));
        };
    }

    private static List<byte[]> jsonFrame(EncodedWatchEvent.Type type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type.name() + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
        return List.of(head, object, JSON_END);
    }
}
