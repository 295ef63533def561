package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the identity of an object, up to the first malformed byte. */
final class ProtoObjectReferenceReader {
    private static final int METADATA = 1;
    private static final FieldNames NO_NAMES = FieldNames.none();
    private static final Logger LOG = LoggerFactory.getLogger(ProtoObjectReferenceReader.class);

    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String version = "";

    private ProtoObjectReferenceReader() {}

    /** @param in at the beginning of the object */
    static ObjectReference read(ProtoCursor in) {
        ProtoObjectReferenceReader found = new ProtoObjectReferenceReader();
        try {
            found.readObject(in);
        } catch (MalformedObjectException rest) {
            LOG.debug("the rest of an object cannot be read", rest);
        }
        return new ObjectReference("", "", found.namespace, found.name, found.uid, found.version);
    }

    private void readObject(ProtoCursor in) {
        for (int field = in.nextField(NO_NAMES); field != 0; field = in.nextField(NO_NAMES)) {
            if (field != METADATA) {
                in.skip();
                continue;
            }
            in.enter();
            for (int inner = in.nextField(NO_NAMES); inner != 0; inner = in.nextField(NO_NAMES)) {
                switch (inner) {
                    case 1 -> name = bounded(in.uninternedText());
                    case 3 -> namespace = bounded(in.uninternedText());
                    case 5 -> uid = bounded(in.uninternedText());
                    case 6 -> version = bounded(in.uninternedText());
                    default -> in.skip();
                }
            }
            in.leave();
        }
    }

    private static String bounded(String text) {
        return text.length() > ObjectReference.MAX_TEXT_LENGTH ? "" : text;
    }
}
