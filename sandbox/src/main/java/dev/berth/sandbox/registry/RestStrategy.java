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
 * The strategy of one kind: decoding, defaults, validation and output. Methods named apply or prepare change the tree that
 * they receive, which the caller owns. No method changes a tree named {@code before}.
 */
public interface RestStrategy {

    /** The scale paths of a custom kind; empty for built-in kinds and for kinds without scale. */
    Optional<ScalePaths> scalePaths();

    /** The schema of the fields; empty for custom kinds. */
    Optional<StructSchema> struct();

    /** Decodes an object of the kind and reports unknown fields. */
    DecodedObject decode(byte[] body, BodyFormat format) throws DecodingException;

    /** The same for a tree, which is not changed. */
    DecodedObject decode(JsonNode tree) throws DecodingException;

    /** Decodes an object from protobuf, for kinds with {@link #protobufEncoding()} only. */
    ObjectNode decodeProtobuf(byte[] body) throws DecodingException;

    /** Applies defaults. */
    void applyDefaults(ObjectNode mutable);

    void prepareForCreate(ObjectNode mutable);

    void prepareForUpdate(ObjectNode before, ObjectNode mutable);

    void prepareForStatusUpdate(ObjectNode before, ObjectNode mutable);

    List<FieldError> validateCreate(ObjectNode object);

    List<FieldError> validateUpdate(ObjectNode before, ObjectNode after);

    List<FieldError> validateStatusUpdate(ObjectNode before, ObjectNode after);

    /** The served form of a stored object; shared with the store where both forms are the same. */
    ObjectNode toServed(ObjectNode stored);

    /** The stored form of a served object, which the caller owns. */
    ObjectNode toStored(ObjectNode mutable);

    /** How a stored object is written as JSON in its served form. */
    Encoding<byte[]> jsonEncoding();

    /** How a stored object is written as protobuf in its served form; empty for kinds without one. */
    Optional<Encoding<EncodedProtobuf>> protobufEncoding();

    TableConvertor tableConvertor();

    /** The selectable fields, read from the stored form. */
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

    /** Warnings for every request to this version. */
    default List<String> warnings() {
        return List.of();
    }

    /** Warnings for a write of this valid object. */
    default List<String> warningsOnWrite(ObjectNode object) {
        return List.of();
    }
}
