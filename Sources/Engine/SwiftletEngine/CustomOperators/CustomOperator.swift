import SwiftletFlatBuffers
package import SwiftletSchema

/// A custom operator that a program adds to the engine for models that use it.
///
/// Register the operator with `Model.addOperator(named:versions:_:)` before compiling the model. It is available only
/// to that model. For a complete example, see docs/guide/custom-operators.md.
///
/// - Shapes: Any. The operator returns its output shapes from `outputShapes(_:)`.
/// - Types: Any types of fixed size. The operator validates its input types.
/// - Thread safety: Sessions on several threads may run one operator at the same time, so it must not change while it
///   runs.
public protocol CustomOperator: Sendable {
  /// Returns the shapes of all outputs, in order.
  ///
  /// The engine calls this method when it compiles the model, and again when input shapes change. Validate the types,
  /// shapes, and values of the node here.
  ///
  /// - Throws: Any error for an invalid node. `node.values(ofInput:as:)` throws an error if the values are known only
  ///   at run time. Propagate this error, and the engine calls the method again in the run, once the values are known.
  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape]

  /// Computes the outputs.
  ///
  /// Outputs must depend only on the inputs and the operator's options, because a node with constant inputs runs once,
  /// when the model is compiled. The method isn't called if all outputs are empty.
  ///
  /// - Throws: Any error for invalid values. The run then ends with a `RuntimeError` (`invalidInput`) that names the
  ///   operator.
  func run(_ call: CustomOperatorCall) throws
}

/// A node of a custom operator before a run.
public struct CustomOperatorNode {
  let view: NodeView

  /// The inputs; `nil` for an omitted optional input.
  public var inputs: [TensorSpec?] { (0..<view.inputCount).map { view.optionalInput($0) } }

  /// The outputs as declared by the model, with the shapes in the file.
  public var outputs: [TensorSpec] { view.node.outputs.map { view.values.specs[$0] } }

  /// Returns input `index`.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) if the model omits it.
  public func input(_ index: Int) throws(RuntimeError) -> TensorSpec {
    try RuntimeError.wrapping { try view.input(index) }
  }

  /// Returns the values of input `index`, for shape inference.
  ///
  /// - Throws: `RuntimeError` if the input is missing or has another type, and with the code `unknownValues` if the
  ///   values are known only at run time.
  public func values<Scalar: TensorScalar>(
    ofInput index: Int, as type: Scalar.Type
  ) throws(RuntimeError) -> [Scalar] {
    let spec = try input(index)
    guard spec.elementType == Scalar.elementType else {
      throw RuntimeError(
        .typeMismatch, "input \(index) \(spec) does not hold \(Scalar.elementType.name)", location: view.node.location)
    }
    let bytes: UnsafeRawBufferPointer
    do {
      bytes = try view.data(index)
    } catch let signal as DataDependence {
      throw RuntimeError(
        .unknownValues, "the values of input \(index) \(spec) are not known before the run",
        location: view.node.location, underlying: signal)
    } catch {
      throw RuntimeError(wrapping: error)
    }
    let stride = MemoryLayout<Scalar>.stride
    return (0..<min(spec.shape.elementCount, bytes.count / stride)).map {
      bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Scalar.self)
    }
  }
}

/// The tensors of a custom operator in a run. The memory is valid only while the operator runs.
public struct CustomOperatorCall {
  let context: RunContext
  let tensors: CustomOperatorTensors

  /// The inputs; `nil` for an omitted optional input.
  public var inputs: [TensorSpec?] { tensors.inputs.map { $0?.spec } }

  /// The outputs, with the shapes returned by the operator.
  public var outputs: [TensorSpec] { tensors.outputs.map(\.spec) }

  /// Returns the elements of input `index` in row-major order.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`, `typeMismatch`) if there is no such input, or if it has another type.
  public func input<Scalar: TensorScalar>(_ index: Int, as type: Scalar.Type) throws(RuntimeError)
    -> UnsafeBufferPointer<Scalar>
  {
    guard tensors.inputs.indices.contains(index), let tensor = tensors.inputs[index] else {
      throw RuntimeError(.invalidArgument, "there is no input \(index)", location: tensors.location)
    }
    return UnsafeBufferPointer(try elements(of: tensor, as: type))
  }

  /// Returns the elements of output `index` in row-major order, to be filled. They are initially undefined.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`, `typeMismatch`) if there is no such output, or if it has another
  ///   type.
  public func output<Scalar: TensorScalar>(
    _ index: Int, as type: Scalar.Type
  ) throws(RuntimeError) -> UnsafeMutableBufferPointer<Scalar> {
    guard tensors.outputs.indices.contains(index) else {
      throw RuntimeError(.invalidArgument, "there is no output \(index)", location: tensors.location)
    }
    return try elements(of: tensors.outputs[index], as: type)
  }

  private func elements<Scalar: TensorScalar>(
    of tensor: CustomOperatorTensors.Entry, as type: Scalar.Type
  ) throws(RuntimeError) -> UnsafeMutableBufferPointer<Scalar> {
    guard tensor.spec.elementType == Scalar.elementType else {
      throw RuntimeError(
        .typeMismatch, "\(tensor.spec) does not hold \(Scalar.elementType.name)", location: tensors.location)
    }
    return UnsafeMutableBufferPointer(
      start: context.pointers[tensor.slot.index].assumingMemoryBound(to: type), count: tensor.spec.shape.elementCount)
  }
}

/// The tensors that a custom operator reads and writes in a run.
struct CustomOperatorTensors: Sendable {
  struct Entry: Sendable {
    var spec: TensorSpec
    var slot: TensorSlot
  }

  var inputs: [Entry?]
  var outputs: [Entry]
  var location: RuntimeError.Location
}

/// The options of a custom operator node in the model file.
public struct CustomOperatorOptions: Sendable {
  /// The operator's name in the model.
  public let name: String
  /// The operator version required by the model, one of the registered versions.
  public let version: Int
  /// The number of inputs, including omitted ones.
  public let inputCount: Int
  /// The number of outputs.
  public let outputCount: Int
  /// The options as stored in the model. Most writers store a FlexBuffer map, which the other members read. Some store
  /// a custom format.
  public let bytes: [UInt8]
  private let values: FlexBufferValue

  package init(_ description: OperatorDescription) {
    name = description.code.kind.name
    version = description.code.version
    inputCount = description.inputs.count
    outputCount = description.outputs.count
    bytes = [UInt8](description.customOptions.bytes)
    // Options that aren't a FlexBuffer are left to the operator.
    values = (try? description.customOptionValues()) ?? .null
  }

  /// Returns an integer option; `nil` if the map has no such key.
  public func integer(_ key: String) -> Int? { value(key)?.intValue }

  /// Returns a floating-point option; `nil` if the map has no such key.
  public func number(_ key: String) -> Float? { value(key)?.floatValue }

  /// Returns a Boolean option; `nil` if the map has no such key.
  public func boolean(_ key: String) -> Bool? { value(key)?.boolValue }

  /// Returns the integers of a vector option; `nil` if the map has no such key.
  public func integers(_ key: String) -> [Int]? { value(key)?.elements.map(\.intValue) }

  /// Returns the floating-point numbers of a vector option; `nil` if the map has no such key.
  public func numbers(_ key: String) -> [Float]? { value(key)?.elements.map(\.floatValue) }

  private func value(_ key: String) -> FlexBufferValue? {
    let value = values[key]
    return value.isNull ? nil : value
  }
}
