package io.gpuvm.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;

/// Client of a control socket: one connection for each request.
record ControlRequests(Path socket) {
    private static final ObjectMapper JSON = new ObjectMapper();

    JsonNode ask(String request) {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                Scanner answers = new Scanner(Channels.newReader(client, StandardCharsets.UTF_8))) {
            client.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
            return JSON.readTree(answers.nextLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Attaches a virtual machine.
    ///
    /// @param keys keys and values, as JSON without braces
    JsonNode attach(String name, String keys) {
        return ask("{\"request\":\"attach\",\"vm\":\"%s\",%s}".formatted(name, keys));
    }

    JsonNode detach(String name) {
        return ask("{\"request\":\"detach\",\"vm\":\"%s\"}".formatted(name));
    }

    JsonNode status() {
        return ask("{\"request\":\"status\"}");
    }
}
