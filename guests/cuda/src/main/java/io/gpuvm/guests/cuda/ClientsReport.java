package io.gpuvm.guests.cuda;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.guests.cuda.ClientResult.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Results of a run of clients.
///
/// @param negative whether the clients ran without effects, and had to fail
/// @param complete whether all clients ran, not only some that the user named
record ClientsReport(List<ClientResult> results, boolean negative, boolean complete) {
    private static final List<String> HEAD =
            List.of("Client", "Version", "Calls", "Result", "Reason");

    ClientsReport {
        results = List.copyOf(results);
    }

    /// Returns whether no client failed, and no required client was skipped.
    boolean passed() {
        return count(Kind.FAILED) == 0 && skippedRequired() == 0;
    }

    /// Returns the value of `result`: `pass`, `partial` if required clients were skipped, or
    /// `fail`.
    private String result() {
        if (count(Kind.FAILED) > 0) {
            return "fail";
        }
        return passed() ? "pass" : "partial";
    }

    private long count(Kind kind) {
        return results.stream().filter(each -> each.is(kind)).count();
    }

    private long skippedRequired() {
        return results.stream()
                .filter(each -> each.is(Kind.SKIPPED) && each.client().required())
                .count();
    }

    /// Returns one line of JSON.
    String toJson() {
        ObjectNode json = new ObjectMapper().createObjectNode();
        json.put("result", result());
        json.put("negative", negative);
        json.put("complete", complete);
        json.put("passed", count(Kind.PASSED));
        json.put("failed", count(Kind.FAILED));
        json.put("skipped", skippedRequired());
        json.put("skippedOptional", count(Kind.SKIPPED) - skippedRequired());
        ArrayNode clients = json.putArray("clients");
        for (ClientResult result : results) {
            ObjectNode client = clients.addObject();
            client.put("name", result.client().name());
            client.put("version", result.version());
            client.put("required", result.client().required());
            client.put("result", result.kind().toString());
            client.put("reason", result.reason());
            ArrayNode calls = client.putArray("calls");
            result.trace().functions().forEach(calls::add);
            ObjectNode startUp = client.putObject("startUp");
            startUp.put("calls", result.trace().startUpCalls());
            startUp.put("messages", result.trace().startUpMessages());
        }
        return json.toString();
    }

    /// Returns the table of results.
    String toTable() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        results.forEach(result -> rows.add(result.row()));
        return TextTable.of(rows);
    }

    /// Returns the table of calls: a row for each function that any client called, with a column
    /// for each client.
    String callsTable() {
        SortedSet<String> all = new TreeSet<>();
        results.forEach(result -> all.addAll(result.trace().functions()));
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("Function"));
        results.forEach(result -> head.add(result.client().name()));
        rows.add(head);
        for (String function : all) {
            List<String> row = new ArrayList<>(List.of(function));
            results.forEach(
                    result -> row.add(result.trace().functions().contains(function) ? "x" : "-"));
            rows.add(row);
        }
        return TextTable.of(rows);
    }
}
