package dev.berth.kubernetes.api;

import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.Response;
import dev.berth.kubernetes.http2.ResponseHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The Status object of a failed request.
 *
 * @param code as in HTTP
 * @param reason a word such as {@code Conflict}; may be empty
 * @param retryAfter when to retry, if the server says so
 */
public record Status(int code, String reason, String message, Optional<Duration> retryAfter) {
    private static final int MAX_TEXT_LENGTH = 500;
    private static final FieldNames STATUS = FieldNames.none()
            .with(3, "message")
            .with(4, "reason")
            .with(5, "details")
            .with(6, "code");
    private static final FieldNames DETAILS = FieldNames.none().with(5, "retryAfterSeconds");

    /** Reads the object at the cursor. */
    public static Status read(Cursor in) {
        int code = 0;
        String reason = "";
        String message = "";
        Optional<Duration> retryAfter = Optional.empty();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            switch (field) {
                case 3 -> message = in.uninternedText();
                case 4 -> reason = in.uninternedText();
                case 5 -> retryAfter = retryAfter(in);
                case 6 -> code = (int) in.number();
                default -> in.skip();
            }
        }
        return new Status(code, reason, message, retryAfter);
    }

    /** The Status of a failed response. A body that is not a Status becomes the message. */
    public static Status of(Response response) {
        return of(response.head(), response.body());
    }

    public static Status of(ResponseHead head, byte[] body) {
        Status reported = parse(head, body);
        Optional<Duration> header = head.header("retry-after").flatMap(Status::seconds);
        String message = reported.message.isEmpty() ? "HTTP " + head.status() : reported.message;
        return new Status(
                head.status(),
                reported.reason,
                head.advice().isEmpty() ? message : "%s. %s".formatted(message, head.advice()),
                header.isPresent() ? header : reported.retryAfter);
    }

    private static Status parse(ResponseHead head, byte[] body) {
        List<Status> read = new ArrayList<>();
        try {
            WireFormat format =
                    WireFormat.fromContentType(head.header("content-type").orElse(""));
            new StreamReaders().readObject(format, body, in -> read.add(read(in)));
            return read.get(0);
        } catch (MalformedObjectException noStatus) {
            String text = new String(body, StandardCharsets.UTF_8).strip();
            return new Status(
                    head.status(),
                    "",
                    text.length() > MAX_TEXT_LENGTH ? text.substring(0, MAX_TEXT_LENGTH) + "..." : text,
                    Optional.empty());
        }
    }

    private static Optional<Duration> retryAfter(Cursor in) {
        long seconds = 0;
        in.enter();
        for (int field = in.nextField(DETAILS); field != 0; field = in.nextField(DETAILS)) {
            if (field == 5) {
                seconds = in.number();
            } else {
                in.skip();
            }
        }
        in.leave();
        return seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
    }

    private static Optional<Duration> seconds(String text) {
        try {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text.strip())));
        } catch (NumberFormatException aDate) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return reason.isEmpty() ? "%d: %s".formatted(code, message) : "%d %s: %s".formatted(code, reason, message);
    }
}
