package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.MalformedObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads which object it is, up to the first malformed byte. */
final class ProtoIdentity {
    private static final int METADATA = 1;
    private static final FieldNames NO_NAMES = FieldNames.none();
    private static final Logger LOG = LoggerFactory.getLogger(ProtoIdentity.class);

    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String version = "";

    private ProtoIdentity() {}

    /** @param in at the beginning of the object */
    static Identity read(ProtoCursor in) {
        ProtoIdentity found = new ProtoIdentity();
        try {
            found.object(in);
        } catch (MalformedObject rest) {
            LOG.debug("the rest of an object cannot be read", rest);
        }
        return new Identity("", "", found.namespace, found.name, found.uid, found.version);
    }

    private void object(ProtoCursor in) {
        for (int field = in.next(NO_NAMES); field != 0; field = in.next(NO_NAMES)) {
            if (field != METADATA) {
                in.skip();
                continue;
            }
            in.enter();
            for (int inner = in.next(NO_NAMES); inner != 0; inner = in.next(NO_NAMES)) {
                switch (inner) {
                    case 1 -> name = bounded(in.ownText());
                    case 3 -> namespace = bounded(in.ownText());
                    case 5 -> uid = bounded(in.ownText());
                    case 6 -> version = bounded(in.ownText());
                    default -> in.skip();
                }
            }
            in.leave();
        }
    }

    private static String bounded(String text) {
        return text.length() > Identity.LONGEST_TEXT ? "" : text;
    }
}
