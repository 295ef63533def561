package dev.berth.sandbox.protobuf;

import dev.berth.sandbox.schema.value.DecodingException;

/**
 * The envelope of an object: {@code runtime.Unknown} in Kubernetes.
 *
 * @param message the encoded object, which can be read only once
 */
record ObjectEnvelope(String apiVersion, String kind, WireInput message) {

    private static final int FIRST = WrappedCodec.tag(1, ValueCodec.BYTES);
    private static final int SECOND = WrappedCodec.tag(2, ValueCodec.BYTES);

    static ObjectEnvelope read(byte[] body) throws DecodingException {
        if (!ProtobufCodec.isEnvelope(body)) {
            throw new DecodingException(
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        }
        WireInput in = new WireInput(body, 4);
        String[] names = {"", ""};
        WireInput message = new WireInput(new byte[0], 0);
        while (in.hasMore()) {
            int tag = in.tag();
            if (tag == FIRST) {
                readNames(in, names);
            } else if (tag == SECOND) {
                message = in.message();
            } else {
                in.skip(tag & 7);
            }
        }
        return new ObjectEnvelope(names[0], names[1], message);
    }

    private static void readNames(WireInput in, String[] names) throws DecodingException {
        int outer = in.enter();
        while (in.hasMore()) {
            int tag = in.tag();
            if (tag == FIRST || tag == SECOND) {
                names[tag == FIRST ? 0 : 1] = in.string();
            } else {
                in.skip(tag & 7);
            }
        }
        in.leave(outer);
    }
}
