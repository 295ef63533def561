package dev.berth.sandbox.protobuf;

/**
 * An object in protobuf with its envelope. It is encoded once and reused in responses, lists and watch frames. The
 * bytes are shared and must not be modified.
 */
public final class EncodedProtobuf {

    private final byte[] envelope;
    private final int messageOffset;
    private final int messageLength;

    EncodedProtobuf(byte[] envelope, int messageOffset, int messageLength) {
        this.envelope = envelope;
        this.messageOffset = messageOffset;
        this.messageLength = messageLength;
    }

    /** The body of a response. */
    public byte[] envelope() {
        return envelope;
    }

    int messageLength() {
        return messageLength;
    }

    /** Copies the message without its envelope and returns the position after it. */
    int copyMessage(byte[] target, int at) {
        System.arraycopy(envelope, messageOffset, target, at, messageLength);
        return at + messageLength;
    }
}
