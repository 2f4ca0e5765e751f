package io.gpuvm.cuda.api.table;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The CUDA driver API as data, and with it the CUDA runtime API. Immutable.
///
/// @param types C types of parameters
/// @param functions records in the order of the file
/// @param unsupported other exported names, which answer `CUDA_ERROR_NOT_SUPPORTED`
/// @param statuses values of `CUresult`
/// @param attributes values of `CUdevice_attribute`
/// @param runtime the runtime API
public record ApiTable(
        ApiTypes types,
        List<ApiFunction> functions,
        List<ApiVariant> unsupported,
        List<ApiStatus> statuses,
        List<ApiAttribute> attributes,
        RuntimeTable runtime) {

    /// Reads the table on the class path.
    ///
    /// @throws TableFormatException as for [#read]
    public static ApiTable load() {
        return read(TableSources.ofResources());
    }

    /// Reads a table.
    ///
    /// @throws TableFormatException if a line has another form, or if records contradict each other
    public static ApiTable read(TableSources sources) {
        ApiTypes types = TypesReader.read(sources.types());
        FunctionsReader.Result read = FunctionsReader.read(sources.functions(), types);
        ApiTable table =
                new ApiTable(
                        types,
                        read.functions(),
                        VariantReader.readUnsupported(sources.unsupported()),
                        ValuesReader.readStatuses(sources.results()),
                        ValuesReader.readAttributes(sources.attributes()),
                        RuntimeReader.read(sources));
        new TableChecks(table, read.lines()).run();
        return table;
    }

    /// Returns the record with a name.
    ///
    /// @throws IllegalArgumentException if no record has the name
    public ApiFunction function(String name) {
        return functions.stream()
                .filter(function -> function.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("name=" + name + " is unknown"));
    }

    /// Returns the records by name.
    Map<String, ApiFunction> byName() {
        return functions.stream().collect(Collectors.toMap(ApiFunction::name, Function.identity()));
    }

    /// Returns the records that are functions of CUDA, without gpuvm's own operations.
    public List<ApiFunction> cudaFunctions() {
        return functions.stream().filter(function -> !function.isOperation()).toList();
    }

    /// Returns the records whose opcodes travel.
    public List<ApiFunction> calls() {
        return functions.stream().filter(ApiFunction::hasCall).toList();
    }

    /// Returns all names of functions, supported or not, without twins' names.
    public Stream<ApiVariant> variants() {
        return Stream.concat(
                functions.stream().flatMap(function -> function.variants().stream()),
                unsupported.stream());
    }

    /// Returns all exported names, twins included, in alphabetical order.
    public List<String> symbols() {
        return variants().flatMap(variant -> variant.symbols().stream()).sorted().toList();
    }
}
