import Foundation
import Swiftlet
import SwiftletReports
import SwiftletEngine
import SwiftletSchema

// What the page about a model shows, from the model itself.
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
        result.note = "quantised in blocks of \(blocks.blockSize), with the scales in tensor \(blocks.scalesTensor)"
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
