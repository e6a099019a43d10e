import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletEngine
import SwiftletJSON
import SwiftletOperators
import SwiftletReports
import SwiftletSchema

/// The `inspect` report of a model.
struct ModelReport {
  let path: String
  let model: Model
  let metadata: ModelMetadata?
  let labels: [String]
  let unsupported: [UnsupportedOperator]
  let compiled: CompiledModel?
  /// The reason why the model cannot run although all operators are supported.
  let compileError: String?

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - path: The name of the model.
  ///   - options: The options that the model would run with.
  init(_ path: String, _ model: Model, options: RuntimeOptions = RuntimeOptions()) {
    self.path = path
    self.model = model
    let file = model.file
    let metadata = Self.described(path, instead: nil) { try file.modelMetadata() }
    self.metadata = metadata
    labels = Self.described(path, instead: []) { try Self.labels(metadata, files: try file.associatedFiles()) }
    let support = model.support(options: options)
    unsupported = support.unsupportedOperators
    do {
      compiled = support.isSupported ? try CompiledModel(model, options: options) : nil
      compileError = support.error.map { "\($0)" }
    } catch {
      compiled = nil
      compileError = "\(error)"
    }
  }

  /// Returns a part of the description, or `instead` with a warning. Metadata can be damaged, or left over from a
  /// converter, in an intact model.
  private static func described<Part>(_ path: String, instead: Part, _ read: () throws -> Part) -> Part {
    do {
      return try read()
    } catch {
      StandardStreams.warn("\(path): \(error)")
      return instead
    }
  }

  private static func labels(_ metadata: ModelMetadata?, files: ZIPArchive?) throws -> [String] {
    for output in metadata?.subgraphs.first?.outputs ?? [] {
      for kind in [AssociatedFile.Kind.tensorAxisLabels, .tensorValueLabels] {
        if let labels = try output.labels(kind, locale: nil, from: files) { return labels.labels }
      }
    }
    return []
  }

  var isSupported: Bool { unsupported.isEmpty && compileError == nil }

  /// The size of the model's own constants in bytes.
  var constantByteCount: Int {
    // Tensors can share a buffer, which counts once.
    var seen: Set<Int> = []
    return model.file.subgraphs.flatMap(\.tensors).reduce(0) { total, tensor in
      guard let data = tensor.data, seen.insert(tensor.bufferIndex).inserted else { return total }
      return total + data.count
    }
  }

  private func spec(_ tensor: TensorDescription) -> TensorSpec {
    TensorSpec(
      name: tensor.name, elementType: tensor.type, shape: Shape(tensor.shape), shapeSignature: tensor.shapeSignature,
      quantization: tensor.quantization.map {
        QuantizationParameters(scales: $0.scales, zeroPoints: $0.zeroPoints.map { Int32(clamping: $0) }, axis: $0.axis)
      })
  }

  /// Returns the operators of a subgraph and how often each occurs, in order of first appearance.
  private func operatorCounts(_ graph: Subgraph) -> [(item: OperatorCode, count: Int)] {
    Self.counted(graph.operators.map(\.code))
  }

  private struct ComputedOperator: Hashable {
    var name: String
    var implementation: String
  }

  /// The implementations of the operators that run on their own, and how often each occurs, in order of first
  /// appearance.
  private var kernelCounts: [(item: ComputedOperator, count: Int)] {
    Self.counted(
      (compiled?.implementations ?? []).map {
        ComputedOperator(name: $0.location.operatorName ?? "", implementation: $0.implementation)
      })
  }

  /// Returns each item once and how often it occurs, in order of first appearance.
  static func counted<Item: Hashable>(_ items: [Item]) -> [(item: Item, count: Int)] {
    var counts: [(item: Item, count: Int)] = []
    // A file can contain arbitrarily many names of custom operators, so a linear search would be too slow.
    var places: [Item: Int] = [:]
    for item in items {
      if let index = places[item] {
        counts[index].count += 1
      } else {
        places[item] = counts.count
        counts.append((item, 1))
      }
    }
    return counts
  }

  // MARK: JSON

  var json: JSONValue {
    .object([
      "model": .string(path),
      "version": .int(model.file.version),
      "description": .string(model.description ?? ""),
      "size_bytes": .int(model.file.bytes.count),
      "signatures": .array(model.file.signatures.map(signatureJSON)),
      "subgraphs": .array(model.file.subgraphs.map(subgraphJSON)),
      "metadata": metadata.map(metadataJSON) ?? .null,
      "labels": .strings(labels),
      "supported": .bool(isSupported),
      "unsupported": .array(unsupported.map(\.json)),
      "error": .optional(compileError),
      "arena_bytes": .optional(compiled?.arenaByteCount),
      "weights_bytes": .int(constantByteCount),
      "kernels": .array(
        kernelCounts.map {
          .object([
            "op": .string($0.item.name), "kernel": .string($0.item.implementation), "count": .int($0.count),
          ])
        }),
    ])
  }

  private func signatureJSON(_ signature: Signature) -> JSONValue {
    func entries(_ entries: [Signature.Entry]) -> JSONValue {
      .array(
        entries.map { entry in
          .object([
            "name": .string(entry.name),
            "tensor": .string(model.file.subgraphs[signature.subgraph].tensors[entry.tensor].name),
          ])
        })
    }
    return .object([
      "key": .string(signature.key), "subgraph": .int(signature.subgraph), "inputs": entries(signature.inputs),
      "outputs": entries(signature.outputs),
    ])
  }

  private func subgraphJSON(_ graph: Subgraph) -> JSONValue {
    .object([
      "name": .string(graph.name ?? ""),
      "inputs": .array(graph.inputs.map { spec(graph.tensors[$0]).json }),
      "outputs": .array(graph.outputs.map { spec(graph.tensors[$0]).json }),
      "operators": .array(
        operatorCounts(graph).map {
          .object([
            "op": .string($0.item.kind.name), "version": .int($0.item.version), "count": .int($0.count),
          ])
        }),
      "tensor_count": .int(graph.tensors.count),
      "operator_count": .int(graph.operators.count),
    ])
  }

  func metadataJSON(_ metadata: ModelMetadata) -> JSONValue {
    let graph = metadata.subgraphs.first
    return .object([
      "name": .optional(metadata.name),
      "description": .optional(metadata.description),
      "version": .optional(metadata.version),
      "author": .optional(metadata.author),
      "license": .optional(metadata.license),
      "min_parser_version": .optional(metadata.minimumParserVersion),
      "inputs": .array((graph?.inputs ?? []).map(tensorJSON)),
      "outputs": .array((graph?.outputs ?? []).map(tensorJSON)),
      "associated_files": .strings(metadata.associatedFiles.map(\.name)),
      "custom_metadata": .strings((graph?.customMetadata ?? []).map(\.name)),
    ])
  }

  private func tensorJSON(_ tensor: TensorMetadata) -> JSONValue {
    let normalization = try? tensor.normalization()
    return .object([
      "name": .optional(tensor.name),
      "description": .optional(tensor.description),
      "mean": normalization.map { .floats($0.mean) } ?? .null,
      "std": normalization.map { .floats($0.deviation) } ?? .null,
      "score_threshold": (try? tensor.scoreThreshold()).map { .float($0) } ?? .null,
      "files": .array(
        tensor.associatedFiles.map { file in
          .object(["name": .string(file.name), "locale": .string(file.locale)])
        }),
    ])
  }

  // MARK: Text

  var text: String {
    var lines = ["\(path): \(model.file.bytes.count) bytes, schema version \(model.file.version)"]
    if let description = model.description, !description.isEmpty { lines.append("description: \(description)") }
    for (index, graph) in model.file.subgraphs.enumerated() {
      lines.append(
        "subgraph \(index) '\(graph.name ?? "")': \(graph.operators.count) operators, \(graph.tensors.count) tensors")
      for tensor in graph.inputs {
        lines.append("  input  '\(graph.tensors[tensor].name)' \(spec(graph.tensors[tensor]).summary)")
      }
      for tensor in graph.outputs {
        lines.append("  output '\(graph.tensors[tensor].name)' \(spec(graph.tensors[tensor]).summary)")
      }
      for (code, count) in operatorCounts(graph) {
        lines.append("  \(count) × \(code.kind.name) version \(code.version)")
      }
    }
    for signature in model.file.signatures {
      let inputs = signature.inputs.map(\.name).joined(separator: ", ")
      let outputs = signature.outputs.map(\.name).joined(separator: ", ")
      lines.append("signature '\(signature.key)': (\(inputs)) → (\(outputs))")
    }
    if let metadata {
      let author = metadata.author.map { " by \($0)" } ?? ""
      lines.append("metadata: \(metadata.name ?? "unnamed")\(author)")
      for input in metadata.subgraphs.first?.inputs ?? [] {
        if let normalization = try? input.normalization() {
          lines.append(
            "  input '\(input.name ?? "")': mean \(normalization.mean), standard deviation \(normalization.deviation)")
        }
      }
    }
    if !labels.isEmpty { lines.append("labels: \(labels.count), from '\(labels[0])' to '\(labels[labels.count - 1])'") }
    lines.append("constants: \(constantByteCount) bytes")
    if let compiled {
      lines.append(
        "supported: yes; arena \(compiled.arenaByteCount) bytes, packed constants \(compiled.packedConstantsByteCount) bytes"
      )
      for (item, count) in kernelCounts { lines.append("  \(count) × \(item.name): \(item.implementation)") }
    } else if let compileError {
      lines.append("supported: no: \(compileError)")
    } else {
      lines.append("supported: no")
      for item in unsupported { lines.append("  \(item)") }
    }
    // Names and descriptions can contain any characters, including line ends.
    return lines.map { $0.sanitized + "\n" }.joined()
  }
}

// The content of the page about a model.
extension ModelReport {
  var description: ModelDescription {
    var description = ModelDescription(
      name: URL(fileURLWithPath: path).lastPathComponent, byteCount: model.file.bytes.count,
      schemaVersion: model.file.version,
      isSupported: isSupported, constantByteCount: constantByteCount)
    description.description = model.description
    description.problem = compileError
    description.unsupported = unsupported.map {
      ModelDescription.UnsupportedOperator(
        subgraph: $0.subgraph, index: $0.index, name: $0.name, version: $0.version, reason: $0.reason)
    }
    description.packedByteCount = compiled?.packedConstantsByteCount
    description.subgraphs = model.file.subgraphs.map(Self.graph)
    for item in compiled?.implementations ?? [] {
      guard let subgraph = item.location.subgraph, let index = item.location.operatorIndex,
        description.subgraphs.indices.contains(subgraph),
        description.subgraphs[subgraph].operators.indices.contains(index)
      else { continue }
      description.subgraphs[subgraph].operators[index].implementation = item.implementation
    }
    description.signatures = model.file.signatures.map { signature in
      func ports(_ entries: [Signature.Entry]) -> [ModelDescription.EntryPoint.Port] {
        entries.map { ModelDescription.EntryPoint.Port(name: $0.name, tensor: $0.tensor) }
      }
      return ModelDescription.EntryPoint(
        key: signature.key, subgraph: signature.subgraph, inputs: ports(signature.inputs),
        outputs: ports(signature.outputs))
    }
    description.metadata = metadata.map(metadataJSON) ?? .null
    description.labels = labels
    description.arena = compiled.map(arena)
    return description
  }

  private static func graph(_ graph: Subgraph) -> ModelDescription.Graph {
    ModelDescription.Graph(
      name: graph.name ?? "", tensors: graph.tensors.map(tensor),
      operators: graph.operators.map { operation in
        let options = operation.namedOptions
        var result = ModelDescription.Operator(
          name: operation.code.kind.name, isCustom: operation.code.kind.isCustom, version: operation.code.version,
          inputs: operation.inputs,
          outputs: operation.outputs,
          options: options.map { ModelDescription.Operator.Option(name: $0.name, value: $0.value) })
        result.callees = options.flatMap(\.subgraphs)
        result.summary = OperatorSummary.text(operation, options, in: graph)
        return result
      },
      inputs: graph.inputs, outputs: graph.outputs)
  }

  private static func tensor(_ tensor: SwiftletSchema.TensorDescription) -> ModelDescription.Tensor {
    let role: ModelDescription.Tensor.Role = tensor.data != nil ? .constant : tensor.isVariable ? .variable : .computed
    var result = ModelDescription.Tensor(
      name: tensor.name, type: tensor.type.name, shape: tensor.shape, role: role,
      byteCount: tensor.data?.count ?? tensor.type.byteCount(elements: Shape(tensor.shape).elementCount))
    result.signature = tensor.shapeSignature
    if let quantization = tensor.quantization {
      if let blocks = quantization.blockwise {
        result.note = "quantized in blocks of \(blocks.blockSize), with the scales in tensor \(blocks.scalesTensor)"
      } else {
        result.quantization = ModelDescription.Tensor.Quantization(
          scales: quantization.scales, zeroPoints: quantization.zeroPoints, axis: quantization.axis)
      }
    }
    if tensor.sparsity != nil { result.note = "stored sparse: the zeros are left out" }
    result.values = tensor.fewValues
    return result
  }

  private func arena(_ compiled: CompiledModel) -> ModelDescription.Arena {
    let occupancy = compiled.arenaOccupancy
    let tensorCount = model.file.subgraphs.first?.tensors.count ?? 0
    return ModelDescription.Arena(
      byteCount: occupancy.byteCount,
      operators: occupancy.operators.map {
        ModelDescription.Arena.Entry(
          subgraph: $0.subgraph ?? 0, index: $0.operatorIndex ?? 0, name: $0.operatorName ?? "")
      },
      blocks: occupancy.blocks.map { block in
        ModelDescription.Arena.Block(
          offset: block.offset, byteCount: block.byteCount, first: block.lifetime.lowerBound,
          last: block.lifetime.upperBound,
          tensors: block.values.filter { $0 < tensorCount },
          names: block.values.filter { $0 >= tensorCount }.map(compiled.valueName))
      },
      deferredCount: occupancy.deferredOperatorCount)
  }
}
