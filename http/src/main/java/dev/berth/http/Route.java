package dev.berth.http;

/** What is done at one path. Safe from several threads at once. */
public interface Route {
    Reply answer(Asked asked) throws InterruptedException;

    /** The body is larger than anybody needs, and was not read to its end. */
    default Reply tooLarge(int mostBytes) {
        return Reply.text(413, "The body is larger than %d bytes. Maybe ask in parts%n".formatted(mostBytes));
    }
}
