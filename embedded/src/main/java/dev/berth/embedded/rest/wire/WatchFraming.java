package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.kind.Json;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.table.TableLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Turns what happens to objects into the messages of one watch. Of a Table only the first message has the headers. */
public final class WatchFraming {

    private static final byte[] JSON_END = {'}', '\n'};

    private final Presenter presenter;
    private final Look look;
    private boolean headersSent;

    public WatchFraming(Presenter presenter, Look look) {
        this.presenter = presenter;
        this.look = look;
    }

    public String contentType() {
        return switch (look.format().media()) {
            case JSON, YAML -> Media.JSON.mime();
            case PROTOBUF -> Media.PROTOBUF.mime() + ";stream=watch";
        };
    }

    /** Something happened to an object. */
    public WatchEvent object(WatchEvent.Type type, Stored stored) {
        ServedKind kind = look.kind();
        return switch (look.format().shape()) {
            case PLAIN ->
                new WatchEvent(type, () -> kind.rules().served(stored.tree()), () -> plainFrame(type, stored));
            case PARTIAL -> tree(type, Presenter.partial(kind.rules().served(stored.tree())));
            case TABLE -> tree(type, headed(presenter.table(look, List.of(stored.tree()), Presenter.single(stored))));
        };
    }

    /** Everything up to a revision has been sent; after the initial events also that they are complete. */
    public WatchEvent bookmark(long revision, boolean endsInitialEvents) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        metadata.put("resourceVersion", Long.toString(revision));
        metadata.putNull("creationTimestamp");
        if (endsInitialEvents) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", look.kind().gvk().kind())
                .put("apiVersion", look.kind().gvk().apiVersion());
        object.set("metadata", metadata);
        return switch (look.format().shape()) {
            case PLAIN -> tree(WatchEvent.Type.BOOKMARK, object);
            case PARTIAL -> tree(WatchEvent.Type.BOOKMARK, Presenter.partial(object));
            case TABLE -> tree(WatchEvent.Type.BOOKMARK, headed(presenter.table(look, List.of(), metadata)));
        };
    }

    /** The watch cannot go on. */
    public WatchEvent error(ApiStatus status) {
        return tree(WatchEvent.Type.ERROR, status.tree());
    }

    private ObjectNode headed(ObjectNode table) {
        if (headersSent) {
            return TableLayout.withoutHeaders(table);
        }
        headersSent = true;
        return table;
    }

    private WatchEvent tree(WatchEvent.Type type, ObjectNode tree) {
        return new WatchEvent(type, () -> tree, () -> switch (look.format().media()) {
            case JSON, YAML -> jsonFrame(type, Json.write(tree));
            case PROTOBUF -> List.of(ProtobufCodec.watchFrame(type.name(), Codec.protobuf(tree)));
        });
    }

    private List<byte[]> plainFrame(WatchEvent.Type type, Stored stored) {
        return switch (look.format().media()) {
            case JSON, YAML ->
                jsonFrame(type, stored.encoded(look.kind().rules().json()));
            case PROTOBUF -> List.of(ProtobufCodec.watchFrame(type.name(), Presenter.encoded(look.kind(), stored)));
        };
    }

    private static List<byte[]> jsonFrame(WatchEvent.Type type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type.name() + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
        return List.of(head, object, JSON_END);
    }
}
