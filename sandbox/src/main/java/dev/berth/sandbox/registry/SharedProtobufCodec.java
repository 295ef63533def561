package dev.berth.sandbox.registry;

import dev.berth.sandbox.protobuf.ProtobufCodec;
import dev.berth.sandbox.schema.BuiltInSchemas;

/** The one reader and writer of protobuf as Kubernetes has it; making it takes a while. */
public final class SharedProtobufCodec {

    public static final ProtobufCodec CODEC = new ProtobufCodec(BuiltInSchemas.load());

    private SharedProtobufCodec() {}

    /** The one, or another for schemas with fields of their own. */
    static ProtobufCodec forSchemas(BuiltInSchemas schemas) {
        return schemas == BuiltInSchemas.load() ? CODEC : new ProtobufCodec(schemas);
    }
}
