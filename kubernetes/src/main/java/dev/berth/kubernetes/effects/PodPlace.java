package dev.berth.kubernetes.effects;

import dev.berth.core.decision.Effect;
import dev.berth.engine.Whereabouts;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;

/** A pod's identity and its node: what a lost answer is replaced by. */
record PodPlace(String uid, String node) {
    private static final FieldNames POD = FieldNames.none().with(1, "metadata").with(2, "spec");
    private static final FieldNames METADATA = FieldNames.none().with(5, "uid");
    private static final FieldNames SPEC = FieldNames.none().with(10, "nodeName");

    static PodPlace read(Cursor in) {
        String uid = "";
        String node = "";
        for (int field = in.next(POD); field != 0; field = in.next(POD)) {
            switch (field) {
                case 1 -> uid = text(in, METADATA, 5);
                case 2 -> node = text(in, SPEC, 10);
                default -> in.skip();
            }
        }
        return new PodPlace(uid, node);
    }

    Whereabouts of(Effect.PodRef pod) {
        if (!uid.equals(pod.uid().value())) {
            return new Whereabouts.Gone();
        }
        return node.isEmpty() ? new Whereabouts.Unbound() : new Whereabouts.OnNode(node);
    }

    private static String text(Cursor in, FieldNames names, int wanted) {
        String text = "";
        in.enter();
        for (int field = in.next(names); field != 0; field = in.next(names)) {
            if (field == wanted) {
                text = in.ownText();
            } else {
                in.skip();
            }
        }
        in.leave();
        return text;
    }
}
