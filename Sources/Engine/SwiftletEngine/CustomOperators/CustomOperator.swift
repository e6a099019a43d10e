import SwiftletFlatBuffers
package import SwiftletSchema

/// An operator that a program adds to the engine, for models that name it.
///
/// Register it with `Model.addOperator(named:versions:_:)` before the model is compiled; it then belongs to that model
/// alone. See docs/guide/custom-operators.md for a whole example.
///
/// - Shapes: any; the operator says what it gives in `outputShapes(_:)`.
/// - Types: any of fixed size; the operator checks those it gets.
/// - Thread safety: sessions on several threads may run one operator at the same time, so it must not change while it
///   runs.
public protocol CustomOperator: Sendable {
  /// Returns the shapes of all outputs, in order.
  ///
  /// Called when the model is compiled, and again when input shapes change. This is the place to check types, shapes
  /// and values of the node.
  ///
  /// - Throws: any error for a node that makes no sense. `node.values(ofInput:as:)` throws when values are not known
  ///   before the run; let that error through, and the engine asks again in the run, once they are.
  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape]

  /// Computes the outputs.
  ///
  /// Outputs must depend on the inputs and the operator's options only: a node whose inputs are all constant runs once,
  /// when the model is compiled. Not called when all outputs are empty.
  ///
  /// - Throws: any error for values that make no sense; the run then ends with a `RuntimeError` (`invalidInput`) that
  ///   names the operator.
  func run(_ call: CustomOperatorCall) throws
}

/// A node of a model as an added operator sees it before a run.
public struct CustomOperatorNode {
  let view: NodeView

  /// The inputs; `nil` if an optional one is left out.
  public var inputs: [TensorSpec?] { (0..<view.inputCount).map { view.optionalInput($0) } }

  /// The outputs as the model declares them; their shapes are those of the file.
  public var outputs: [TensorSpec] { view.node.outputs.map { view.values.specs[$0] } }

  /// Input `index`.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) if the model leaves it out.
  public func input(_ index: Int) throws(RuntimeError) -> TensorSpec {
    try RuntimeError.wrapping { try view.input(index) }
  }

  /// Returns the values of input `index`, to infer shapes from.
  ///
  /// - Throws: `RuntimeError` if the input is missing or has another type, and with the code `unknownValues` if a run
  ///   must compute the values first.
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

/// The tensors of an added operator in a run. Its memory is valid only as long as the run of the operator.
public struct CustomOperatorCall {
  let context: RunContext
  let tensors: CustomOperatorTensors

  /// The inputs; `nil` if an optional one is left out.
  public var inputs: [TensorSpec?] { tensors.inputs.map { $0?.spec } }

  /// The outputs, with the shapes that the operator gave.
  public var outputs: [TensorSpec] { tensors.outputs.map(\.spec) }

  /// Returns the elements of input `index`, row-major.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`, `typeMismatch`) if there is no such input or it has another type.
  public func input<Scalar: TensorScalar>(_ index: Int, as type: Scalar.Type) throws(RuntimeError)
    -> UnsafeBufferPointer<Scalar>
  {
    guard tensors.inputs.indices.contains(index), let tensor = tensors.inputs[index] else {
      throw RuntimeError(.invalidArgument, "there is no input \(index)", location: tensors.location)
    }
    return UnsafeBufferPointer(try elements(of: tensor, as: type))
  }

  /// Returns the elements of output `index`, row-major, to be filled; undefined before.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`, `typeMismatch`) if there is no such output or it has another type.
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

/// What an added operator reads and writes in a run.
struct CustomOperatorTensors: Sendable {
  struct Entry: Sendable {
    var spec: TensorSpec
    var slot: TensorSlot
  }

  var inputs: [Entry?]
  var outputs: [Entry]
  var location: RuntimeError.Location
}

/// The options that the model file stores for one node of a custom operator.
public struct CustomOperatorOptions: Sendable {
  /// The operator's name in the model.
  public let name: String
  /// The version that the model asks for, one of those registered.
  public let version: Int
  /// The number of inputs, absent ones included, and of outputs.
  public let inputCount: Int
  /// The number of outputs that the node has.
  public let outputCount: Int
  /// The options as the model stores them. Most writers keep a FlexBuffer map there, which the other members read; some
  /// keep a structure of their own.
  public let bytes: [UInt8]
  private let values: FlexBufferValue

  package init(_ description: OperatorDescription) {
    name = description.code.kind.name
    version = description.code.version
    inputCount = description.inputs.count
    outputCount = description.outputs.count
    bytes = [UInt8](description.customOptions.bytes)
    // Bytes that are no FlexBuffer are the operator's own affair.
    values = (try? description.customOptionValues()) ?? .null
  }

  /// Returns the whole number of an option; `nil` if the map has no such key.
  public func integer(_ key: String) -> Int? { value(key)?.intValue }

  /// Returns the real number of an option; `nil` if the map has no such key.
  public func number(_ key: String) -> Float? { value(key)?.floatValue }

  /// Returns the truth of an option; `nil` if the map has no such key.
  public func boolean(_ key: String) -> Bool? { value(key)?.boolValue }

  /// Returns the whole numbers of an option that is a vector; `nil` if the map has no such key.
  public func integers(_ key: String) -> [Int]? { value(key)?.elements.map(\.intValue) }

  /// Returns the real numbers of an option that is a vector; `nil` if the map has no such key.
  public func numbers(_ key: String) -> [Float]? { value(key)?.elements.map(\.floatValue) }

  private func value(_ key: String) -> FlexBufferValue? {
    let value = values[key]
    return value.isNull ? nil : value
  }
}
