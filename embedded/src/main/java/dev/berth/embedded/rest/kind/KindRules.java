package dev.berth.embedded.rest.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.ScalePaths;
import dev.berth.embedded.protobuf.EncodedObject;
import dev.berth.embedded.rest.select.SelectableFields;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.json.BodyFormat;
import dev.berth.embedded.schema.json.Decoded;
import dev.berth.embedded.schema.value.DecodingException;
import dev.berth.embedded.store.Encoding;
import dev.berth.embedded.table.TableLayout;
import dev.berth.embedded.validation.FieldError;
import java.util.List;
import java.util.Optional;

/**
 * What one kind demands of its objects and how it shows them. Methods named apply or prepare change the tree they are
 * given, which is the caller's own; no method changes a tree called before.
 */
public interface KindRules {

    /** Where a custom kind keeps its replicas; empty for built-in ones and for those without. */
    Optional<ScalePaths> scale();

    /** What is known of the kind's fields; empty for custom kinds, which are patched without. */
    Optional<StructSchema> struct();

    /** Reads an object of the kind, without what the kind does not know; tells what that was. */
    Decoded decode(byte[] body, BodyFormat format) throws DecodingException;

    /** The same for a tree, which stays as it is. */
    Decoded decode(JsonNode tree) throws DecodingException;

    /** Reads an object of the kind from protobuf, which only kinds with {@link #protobuf()} have. */
    ObjectNode decodeProtobuf(byte[] body) throws DecodingException;

    /** Fills what the sender left open. */
    void applyDefaults(ObjectNode own);

    void prepareCreate(ObjectNode own);

    void prepareUpdate(ObjectNode before, ObjectNode own);

    void prepareStatusUpdate(ObjectNode before, ObjectNode own);

    List<FieldError> validateCreate(ObjectNode object);

    List<FieldError> validateUpdate(ObjectNode before, ObjectNode after);

    List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after);

    /** The served form of a stored object; shared with the store where both forms are the same. */
    ObjectNode served(ObjectNode stored);

    /** The stored form of a served object, which is the caller's own. */
    ObjectNode stored(ObjectNode own);

    /** How a stored object is written as JSON in its served form. */
    Encoding<byte[]> json();

    /** How a stored object is written as protobuf in its served form; empty for kinds without one. */
    Optional<Encoding<EncodedObject>> protobuf();

    TableLayout table();

    /** What field selectors may name, read from the stored form. */
    SelectableFields fields();

    /** Whether an update may leave out the resource version. */
    boolean allowsUnconditionalUpdate();

    /** Whether an update may create. */
    boolean allowsCreateOnUpdate();

    /** Whether a deletion answers with the object rather than a Status. */
    boolean answersDeletedObject();

    /** Warnings that every request to this version is answered with. */
    List<String> warnings();

    /** Warnings that the write of this valid object is answered with. */
    List<String> warningsFor(ObjectNode object);
}
