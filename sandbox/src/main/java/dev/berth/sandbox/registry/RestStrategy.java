package dev.berth.sandbox.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.ScalePaths;
import dev.berth.sandbox.printers.TableConvertor;
import dev.berth.sandbox.protobuf.EncodedProtobuf;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.json.BodyFormat;
import dev.berth.sandbox.schema.json.DecodedObject;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.selector.SelectableFields;
import dev.berth.sandbox.storage.Encoding;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.List;
import java.util.Optional;

/**
 * What one kind demands of its objects and how it shows them. Methods named apply or prepare change the tree they are
 * given, which is the caller's own; no method changes a tree called before.
 */
public interface RestStrategy {

    /** Where a custom kind keeps its replicas; empty for built-in ones and for those without. */
    Optional<ScalePaths> scalePaths();

    /** What is known of the kind's fields; empty for custom kinds, which are patched without. */
    Optional<StructSchema> struct();

    /** Reads an object of the kind, without what the kind does not know; tells what that was. */
    DecodedObject decode(byte[] body, BodyFormat format) throws DecodingException;

    /** The same for a tree, which stays as it is. */
    DecodedObject decode(JsonNode tree) throws DecodingException;

    /** Reads an object of the kind from protobuf, which only kinds with {@link #protobufEncoding()} have. */
    ObjectNode decodeProtobuf(byte[] body) throws DecodingException;

    /** Fills what the sender left open. */
    void applyDefaults(ObjectNode mutable);

    void prepareForCreate(ObjectNode mutable);

    void prepareForUpdate(ObjectNode before, ObjectNode mutable);

    void prepareForStatusUpdate(ObjectNode before, ObjectNode mutable);

    List<FieldError> validateCreate(ObjectNode object);

    List<FieldError> validateUpdate(ObjectNode before, ObjectNode after);

    List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after);

    /** The served form of a stored object; shared with the store where both forms are the same. */
    ObjectNode toServed(ObjectNode stored);

    /** The stored form of a served object, which is the caller's own. */
    ObjectNode toStored(ObjectNode mutable);

    /** How a stored object is written as JSON in its served form. */
    Encoding<byte[]> jsonEncoding();

    /** How a stored object is written as protobuf in its served form; empty for kinds without one. */
    Optional<Encoding<EncodedProtobuf>> protobufEncoding();

    TableConvertor tableConvertor();

    /** What field selectors may name, read from the stored form. */
    SelectableFields selectableFields();

    /** Whether an update may leave out the resource version. */
    default boolean allowsUnconditionalUpdate() {
        return false;
    }

    /** Whether an update may create. */
    default boolean allowsCreateOnUpdate() {
        return false;
    }

    /** Whether a deletion answers with the object rather than a Status. */
    default boolean returnsDeletedObject() {
        return false;
    }

    /** Warnings that every request to this version is answered with. */
    default List<String> warnings() {
        return List.of();
    }

    /** Warnings that the write of this valid object is answered with. */
    default List<String> warningsOnWrite(ObjectNode object) {
        return List.of();
    }
}
