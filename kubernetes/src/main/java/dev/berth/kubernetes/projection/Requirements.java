package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import java.util.ArrayList;
import java.util.List;

/** Reads the expressions of selectors; those of nodes and of labels have the same form. */
final class Requirements {
    private static final FieldNames FIELDS =
            FieldNames.none().with(1, "key").with(2, "operator").with(3, "values");

    private Requirements() {}

    static Requirement read(Cursor in) {
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

    private static Operator operator(String word) {
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
