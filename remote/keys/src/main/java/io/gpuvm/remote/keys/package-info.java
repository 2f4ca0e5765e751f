/// Authority for the certificates of agents and backends: creates, renews and revokes them.
package io.gpuvm.remote.keys;
