package dev.berth.kubernetes.door.reservation;

import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.door.reservation.Status;
import dev.berth.core.door.reservation.Terms;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads reservations. One whose specification makes no sense is read all the same, status and all, with what is wrong
 * about it, so that its author can be told and what was promised is kept.
 */
public final class ReservationProjection implements Projection<Reservation> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames META = FieldNames.none().with(1, "metadata");

    private final Meta meta = new Meta(key -> key.contains("koordinator.sh/"));
    private final TermsReader terms = new TermsReader();
    private final Strings strings = new Strings();

    @Override
    public Seen<Reservation> read(Cursor in) {
        meta.clear();
        Tree spec = Tree.EMPTY;
        Tree status = Tree.EMPTY;
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec = Tree.read(in.json());
                    case 3 -> status = Tree.read(in.json());
                    default -> in.skip();
                }
            }
            return Seen.readable(meta, reservation(spec, StatusReader.read(status)));
        } catch (MalformedObject | IllegalArgumentException | DateTimeException malformed) {
            return salvaged(in, malformed);
        }
    }

    /**
     * A part that is nested too deep or is too long makes the specification senseless, but takes no place away: the status
     * is read without it, so that what was promised is kept after a restart, too.
     */
    private Seen<Reservation> salvaged(Cursor in, RuntimeException malformed) {
        try {
            byte[] json = in.salvage();
            try (JsonCursor rest = new JsonCursor(strings, json, 0, json.length)) {
                meta.clear();
                for (int field = rest.next(META); field != 0; field = rest.next(META)) {
                    meta.read(rest);
                }
            }
            Tree object = Tree.read(json);
            Status status = StatusReader.read(object.tree("status").orElse(Tree.EMPTY));
            Tree spec = object.tree("spec").orElse(Tree.EMPTY);
            String problem = String.valueOf(malformed.getMessage());
            return Seen.readable(meta, reservation(spec, status, Optional.empty(), problem));
        } catch (MalformedObject | IllegalArgumentException | DateTimeException worse) {
            return Seen.unreadable(meta, "reservation", worse);
        }
    }

    private Reservation reservation(Tree spec, Status status) {
        try {
            return reservation(spec, status, Optional.of(terms.read(meta, spec)), "");
        } catch (MalformedObject | IllegalArgumentException | ArithmeticException | DateTimeException senseless) {
            return reservation(spec, status, Optional.empty(), String.valueOf(senseless.getMessage()));
        }
    }

    private Reservation reservation(Tree spec, Status status, Optional<Terms> wanted, String problem) {
        return new Reservation(
                meta.uid(),
                meta.name(),
                meta.version(),
                Instant.ofEpochMilli(meta.createdMillis()),
                meta.terminating(),
                schedulerName(spec),
                wanted,
                problem,
                wanted.map(Terms::template).or(() -> template(spec)),
                TemplateFields.unknownIn(spec),
                status);
    }

    /** Of a specification that makes no sense: its template may do so. */
    private Optional<Terms.Template> template(Tree spec) {
        try {
            return Optional.of(terms.template(meta, spec));
        } catch (MalformedObject | IllegalArgumentException | ArithmeticException | DateTimeException senseless) {
            return Optional.empty();
        }
    }

    /** Empty where it names none: a definition sets no default here, as the API server does for pods. */
    static String schedulerName(Tree spec) {
        return spec.text("template", "spec", "schedulerName");
    }
}
