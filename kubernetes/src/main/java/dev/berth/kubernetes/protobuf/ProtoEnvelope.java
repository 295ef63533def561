package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;

/** The envelope of Kubernetes around an object in protobuf: four bytes, then its type and its own bytes. */
final class ProtoEnvelope {
    static final int MAGIC_SIZE = 4;
    static final int TYPE = 1;
    static final int RAW = 2;
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final FieldNames NO_NAMES = FieldNames.none();

    private ProtoEnvelope() {}

    static void requireMagic(byte[] array, int from, int to) {
        for (int i = 0; i < MAGIC_SIZE; i++) {
            if (from + i >= to || array[from + i] != MAGIC[i]) {
                throw new MalformedObjectException("malformed protobuf: it does not begin with k8s");
            }
        }
    }

    static void writeMagic(ProtoWriter out) {
        out.bytes(MAGIC);
    }

    /** Moves the cursor from the envelope into the object. */
    static ProtoCursor open(ProtoCursor cursor, byte[] array, int from, int to) {
        requireMagic(array, from, to);
        ProtoCursor in = cursor.reset(array, from + MAGIC_SIZE, to);
        for (int field = in.nextField(NO_NAMES); field != 0; field = in.nextField(NO_NAMES)) {
            if (field == RAW) {
                in.enter();
                return cursor.reset(array, in.position(), in.limit());
            }
            in.skip();
        }
        // An object without any field has no bytes at all.
        return cursor.reset(array, to, to);
    }
}
