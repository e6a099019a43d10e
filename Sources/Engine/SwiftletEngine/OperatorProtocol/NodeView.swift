import SwiftletSchema

/// An internal error that `NodeView` throws if a value is known only at run time. It never reaches a user.
struct DataDependence: Error {}

/// An operator's view of its node: types, shapes, and the values known so far.
package struct NodeView {
  package let node: NodeWiring
  let values: ValueTable

  package var inputCount: Int { node.inputs.count }
  package var outputCount: Int { node.outputs.count }

  /// Returns whether input `index` exists.
  package func hasInput(_ index: Int) -> Bool { index < node.inputs.count && node.inputs[index] != nil }

  /// Returns the spec of an input.
  ///
  /// - Throws: An error if the input is missing.
  package func input(_ index: Int) throws -> TensorSpec {
    guard let spec = optionalInput(index) else { throw invalid("input \(index) is missing") }
    return spec
  }

  package func optionalInput(_ index: Int) -> TensorSpec? {
    guard index < node.inputs.count, let id = node.inputs[index] else { return nil }
    return values.specs[id]
  }

  /// Returns the output as declared by the model, with its inferred shape once it is known.
  package func output(_ index: Int) throws -> TensorSpec {
    guard index < node.outputs.count else { throw invalid("output \(index) is missing") }
    return values.specs[node.outputs[index]]
  }

  /// Returns whether input `index` is a variable tensor. The operator may write to it, and it keeps its values between
  /// runs.
  package func isVariable(_ index: Int) -> Bool {
    guard index < node.inputs.count, let id = node.inputs[index] else { return false }
    return values.variables[id] != nil
  }

  /// Returns the tensor with the quantization parameters of intermediate result `index`, or `nil` if there is none.
  package func intermediate(_ index: Int) -> TensorSpec? {
    guard index < node.intermediates.count, let id = node.intermediates[index] else { return nil }
    return values.specs[id]
  }

  /// Returns the blockwise quantization of input `index` with the tensor of scales, and the scales' bytes if they are
  /// constant; `nil` if the input isn't quantized in blocks.
  package func blocks(
    ofInput index: Int
  ) -> (quantization: BlockQuantization, scales: TensorSpec, constant: UnsafeRawBufferPointer?)? {
    guard index < node.inputs.count, let id = node.inputs[index], let blocks = values.blocks[id] else { return nil }
    return (blocks, values.specs[blocks.scales], values.constant(blocks.scales)?.filled().bytes)
  }

  /// Returns whether the values of input `index` are constants of the model, or computed from constants.
  package func isConstant(_ index: Int) -> Bool {
    guard index < node.inputs.count, let id = node.inputs[index] else { return false }
    return values.constant(id) != nil
  }

  /// Returns the bytes of a constant input, aligned for its elements; `nil` for a computed input.
  package func constant(_ index: Int) -> UnsafeRawBufferPointer? {
    guard index < node.inputs.count, let id = node.inputs[index], let region = values.constant(id) else { return nil }
    return region.filled().bytes
  }

  /// Returns the bytes of input `index`, constant or computed earlier in this run.
  ///
  /// - Throws: An error if the input is missing, and the signal of `Operator.inferShapes` if its values aren't known
  ///   yet.
  package func data(_ index: Int) throws -> UnsafeRawBufferPointer {
    guard index < node.inputs.count, let id = node.inputs[index] else { throw invalid("input \(index) is missing") }
    if let region = values.constant(id) { return try counted(region.filled().bytes) }
    if let state = values.variables[id] ?? values.resources[id], values.changedStates[state] != nil {
      throw DataDependence()
    }
    guard let bytes = try values.runtimeData(id) else { throw DataDependence() }
    return try counted(bytes)
  }

  /// Counts the work of reading the bytes, because shape inference from a long tensor reads all of it.
  private func counted(_ bytes: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    if bytes.count > 1 << 16 { try values.budget?.spend(Double(bytes.count), at: node.location) }
    return bytes
  }

  /// Returns the elements of an integer or Boolean input, such as a shape, axes, or sizes.
  ///
  /// - Parameter limit: The maximum number of elements.
  /// - Throws: An error if there are more elements, and the errors of `data(_:)`.
  package func integers(_ index: Int, atMost limit: Int = 1024) throws -> [Int] {
    let spec = try input(index)
    let count = spec.shape.elementCount
    guard count <= limit else {
      throw invalid("input \(index) \(spec) must contain at most \(limit) integers")
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
    default: throw invalid("input \(index) \(spec) must contain integers")
    }
  }

  /// Returns the single element of an integer input.
  package func integer(_ index: Int) throws -> Int {
    let spec = try input(index)
    guard spec.shape.elementCount == 1, let element = try integers(index).first else {
      throw invalid("input \(index) \(spec) must contain one element")
    }
    return element
  }

  /// Returns the quantization of an input.
  ///
  /// - Throws: An error if input `index` has no per-tensor quantization.
  package func inputQuantization(_ index: Int) throws -> (scale: Float, zeroPoint: Int32) {
    try perTensor(input(index), "input \(index)")
  }

  /// Returns the quantization of an output.
  ///
  /// - Throws: An error if output `index` has no per-tensor quantization.
  package func outputQuantization(_ index: Int) throws -> (scale: Float, zeroPoint: Int32) {
    try perTensor(output(index), "output \(index)")
  }

  private func perTensor(_ spec: TensorSpec, _ what: String) throws -> (scale: Float, zeroPoint: Int32) {
    guard let quantization = spec.quantization, let scale = quantization.scales.first,
      let zeroPoint = quantization.zeroPoints.first
    else { throw invalid("\(what) \(spec) has no quantization parameters") }
    guard quantization.scales.count == 1 else {
      throw invalid("\(what) \(spec) is quantized per channel, but the operator requires one scale")
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
  /// Checks the shapes of the outputs.
  ///
  /// - Throws: An error if the outputs don't have these shapes, because they were inferred from other input values than
  ///   the current ones.
  package func requireOutputs(_ shapes: [Shape]) throws {
    for (index, shape) in shapes.enumerated() where try output(index).shape != shape {
      throw invalid(
        "returns \(shape) for output \(index) \(try output(index)), because values of its inputs have changed")
    }
  }
}
