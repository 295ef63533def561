package dev.berth.embedded.rest.kind;

import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.embedded.schema.BuiltInSchemas;

/** The one reader and writer of protobuf; making it takes a while. */
public final class Protobuf {

    public static final ProtobufCodec CODEC = new ProtobufCodec(BuiltInSchemas.load());

    private Protobuf() {}
}
