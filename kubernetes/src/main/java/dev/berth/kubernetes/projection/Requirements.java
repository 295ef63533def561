package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.ArrayList;
import java.util.List;

/** Reads the expressions of selectors; those of nodes and of labels have the same form. */
public final class Requirements {
    private static final FieldNames FIELDS =
            FieldNames.none().with(1, "key").with(2, "operator").with(3, "values");
    private static final FieldNames SELECTOR =
            FieldNames.none().withMap(1, "matchLabels").with(2, "matchExpressions");

    private Requirements() {}

    /** The cursor is at a field that is one expression. */
    public static Requirement read(Cursor in) {
        String key = "";
        String operator = "";
        List<String> values = new ArrayList<>();
        in.enter();
        for (int field = in.next(FIELDS); field != 0; field = in.next(FIELDS)) {
            switch (field) {
                case 1 -> key = in.text();
                case 2 -> operator = in.text();
                case 3 -> values.add(in.text());
                default -> in.skip();
            }
        }
        in.leave();
        return new Requirement(key, operator(operator), values);
    }

    /** The cursor is at a field that is a selector of labels. */
    public static LabelSelector selector(Cursor in, LabelPool labels) {
        List<Requirement> requirements = new ArrayList<>();
        labels.begin();
        in.enter();
        for (int field = in.next(SELECTOR); field != 0; field = in.next(SELECTOR)) {
            switch (field) {
                case 1 -> labels.add(in.key(), in.valueText());
                case 2 -> requirements.add(read(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new LabelSelector(labels.end(), requirements);
    }

    public static Operator operator(String word) {
        return switch (word) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            case "Gt" -> Operator.GT;
            case "Lt" -> Operator.LT;
            default ->
                throw new MalformedObject(
                        "operator (%s) is none of In, NotIn, Exists, DoesNotExist, Gt and Lt".formatted(word));
        };
    }
}
