package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect;
import dev.berth.engine.PodLookupResult;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;

/** The UID and the node of a pod, read after the response to a bind was lost. */
record PodUidAndNode(String uid, String node) {
    private static final FieldNames POD = FieldNames.none().with(1, "metadata").with(2, "spec");
    private static final FieldNames METADATA = FieldNames.none().with(5, "uid");
    private static final FieldNames SPEC = FieldNames.none().with(10, "nodeName");

    static PodUidAndNode read(Cursor in) {
        String uid = "";
        String node = "";
        for (int field = in.nextField(POD); field != 0; field = in.nextField(POD)) {
            switch (field) {
                case 1 -> uid = text(in, METADATA, 5);
                case 2 -> node = text(in, SPEC, 10);
                default -> in.skip();
            }
        }
        return new PodUidAndNode(uid, node);
    }

    PodLookupResult lookupResultFor(Effect.PodRef pod) {
        if (!uid.equals(pod.uid().value())) {
            return new PodLookupResult.NotFound();
        }
        return node.isEmpty() ? new PodLookupResult.Unbound() : new PodLookupResult.Bound(node);
    }

    private static String text(Cursor in, FieldNames names, int wantedField) {
        String text = "";
        in.enter();
        for (int field = in.nextField(names); field != 0; field = in.nextField(names)) {
            if (field == wantedField) {
                text = in.uninternedText();
            } else {
                in.skip();
            }
        }
        in.leave();
        return text;
    }
}
