import SwiftletSchema

/// Thrown by `NodeView` when a value is needed that only the run can give. Never reaches a user.
struct DataDependence: Error {}

/// A node as operators see it: the types and shapes around it, and the values known so far.
package struct NodeView {
  package let node: NodeWiring
  let values: ValueTable

  package var inputCount: Int { node.inputs.count }
  package var outputCount: Int { node.outputs.count }

  /// Returns whether input `index` is given.
  package func hasInput(_ index: Int) -> Bool { index < node.inputs.count && node.inputs[index] != nil }

  /// - Throws: when the input is missing.
  package func input(_ index: Int) throws -> TensorSpec {
    guard let spec = optionalInput(index) else { throw invalid("input \(index) is missing") }
    return spec
  }

  package func optionalInput(_ index: Int) -> TensorSpec? {
    guard index < node.inputs.count, let id = node.inputs[index] else { return nil }
    return values.specs[id]
  }

  /// Returns the output as declared by the model, with its shape once inferred.
  package func output(_ index: Int) throws -> TensorSpec {
    guard index < node.outputs.count else { throw invalid("output \(index) is missing") }
    return values.specs[node.outputs[index]]
  }

  /// Returns whether input `index` is a variable tensor, which the operator may write and which keeps its values from
  /// run to run.
  package func isVariable(_ index: Int) -> Bool {
    guard index < node.inputs.count, let id = node.inputs[index] else { return false }
    return values.variables[id] != nil
  }

  /// Returns the tensor that carries the quantization of intermediate result `index`, or `nil` if there is none.
  package func intermediate(_ index: Int) -> TensorSpec? {
    guard index < node.intermediates.count, let id = node.intermediates[index] else { return nil }
    return values.specs[id]
  }

  /// How input `index` is quantized in blocks, with the tensor of their scales and its bytes where they are constant;
  /// `nil` if it is not.
  package func blocks(
    ofInput index: Int
  ) -> (quantization: BlockQuantization, scales: TensorSpec, constant: UnsafeRawBufferPointer?)? {
    guard index < node.inputs.count, let id = node.inputs[index], let blocks = values.blocks[id] else { return nil }
    return (blocks, values.specs[blocks.scales], values.constant(blocks.scales)?.filled().bytes)
  }

  /// Returns whether the values of input `index` are part of the model (or follow from it) and so never change.
  package func isConstant(_ index: Int) -> Bool {
    guard index < node.inputs.count, let id = node.inputs[index] else { return false }
    return values.constant(id) != nil
  }

  /// Returns the bytes of a constant input, aligned for its elements; `nil` for computed ones.
  package func constant(_ index: Int) -> UnsafeRawBufferPointer? {
    guard index < node.inputs.count, let id = node.inputs[index], let region = values.constant(id) else { return nil }
    return region.filled().bytes
  }

  /// Returns the bytes of input `index`, constant or computed earlier in this run.
  ///
  /// - Throws: when the input is missing, and the signal of `Operator.inferShapes` when its values are not known yet.
  package func data(_ index: Int) throws -> UnsafeRawBufferPointer {
    guard index < node.inputs.count, let id = node.inputs[index] else { throw invalid("input \(index) is missing") }
    if let region = values.constant(id) { return try counted(region.filled().bytes) }
    if let state = values.variables[id] ?? values.resources[id], values.changedStates[state] != nil {
      throw DataDependence()
    }
    guard let bytes = try values.runtimeData(id) else { throw DataDependence() }
    return try counted(bytes)
  }

  /// Whoever infers a shape from long tensors reads all of them.
  private func counted(_ bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    if bytes.count > 1 << 16 { try values.budget?.spend(Double(bytes.count), at: node.location) }
    return bytes
  }

  /// Returns the elements of an integer or boolean input: a shape, axes, sizes.
  ///
  /// - Parameter limit: The most elements there may be.
  /// - Throws: when there are more, and as `data(_:)`.
  package func integers(_ index: Int, atMost limit: Int = 1024) throws -> [Int] {
    let spec = try input(index)
    let count = spec.shape.elementCount
    guard count <= limit else {
      throw invalid("input \(index) \(spec) must hold few integers, at most \(limit)")
    }
    let bytes = try data(index)
    func read<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) -> [Int] {
      (0..<min(count, bytes.count / MemoryLayout<T>.size)).map {
        Int(clamping: bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<T>.size, as: T.self))
      }
    }
    switch spec.elementType {
    case .int8: return read(Int8.self)
    case .uint8, .bool: return read(UInt8.self)
    case .int16: return read(Int16.self)
    case .uint16: return read(UInt16.self)
    case .int32: return read(Int32.self)
    case .uint32: return read(UInt32.self)
    case .int64: return read(Int64.self)
    case .uint64: return read(UInt64.self)
    default: throw invalid("input \(index) \(spec) must hold integers")
    }
  }

  /// Returns the single element of an integer input.
  package func integer(_ index: Int) throws -> Int {
    let spec = try input(index)
    guard spec.shape.elementCount == 1, let element = try integers(index).first else {
      throw invalid("input \(index) \(spec) must hold one element")
    }
    return element
  }

  /// - Throws: when input `index` has no per-tensor quantization.
  package func inputQuantization(_ index: Int) throws -> (scale: Float, zeroPoint: Int32) {
    try perTensor(input(index), "input \(index)")
  }

  /// - Throws: when output `index` has no per-tensor quantization.
  package func outputQuantization(_ index: Int) throws -> (scale: Float, zeroPoint: Int32) {
    try perTensor(output(index), "output \(index)")
  }

  private func perTensor(_ spec: TensorSpec, _ what: String) throws -> (scale: Float, zeroPoint: Int32) {
    guard let quantization = spec.quantization, let scale = quantization.scales.first,
      let zeroPoint = quantization.zeroPoints.first
    else { throw invalid("\(what) \(spec) has no quantization parameters") }
    guard quantization.scales.count == 1 else {
      throw invalid("\(what) \(spec) is quantized per channel, the operator takes one scale")
    }
    guard scale.isFinite, scale > 0 else { throw invalid("\(what) \(spec) has scale \(scale); it must be positive") }
    return (scale, zeroPoint)
  }

  /// Returns an `invalidModel` error at this node.
  package func invalid(_ message: String) -> RuntimeError {
    RuntimeError(.invalidModel, message, location: node.location)
  }
}

extension NodeView {
  /// - Throws: when outputs do not have these shapes: they were inferred from other values of the inputs than there are
  ///   now.
  package func requireOutputs(_ shapes: [Shape]) throws {
    for (index, shape) in shapes.enumerated() where try output(index).shape != shape {
      throw invalid("gives \(shape) for output \(index) \(try output(index)): values of its inputs have changed since")
    }
  }
}
