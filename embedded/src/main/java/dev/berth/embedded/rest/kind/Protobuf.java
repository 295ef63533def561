package dev.berth.embedded.rest.kind;

import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.embedded.schema.BuiltInSchemas;

/** The one reader and writer of protobuf as Kubernetes has it; making it takes a while. */
public final class Protobuf {

    public static final ProtobufCodec CODEC = new ProtobufCodec(BuiltInSchemas.load());

    private Protobuf() {}

    /** The one, or another for schemas with fields of their own. */
    static ProtobufCodec of(BuiltInSchemas schemas) {
        return schemas == BuiltInSchemas.load() ? CODEC : new ProtobufCodec(schemas);
    }
}
