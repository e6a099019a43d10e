package import SwiftletEngine
package import SwiftletSchema

/// A tensor that a node reads: an input of the model, or a constant.
package struct Operand: Sendable {
  fileprivate let add: @Sendable (inout TestGraph) -> Int
  /// The values of the run; `nil` for a constant.
  fileprivate let tensor: Tensor?

  /// Returns values that the engine only knows at run time.
  package static func input<Scalar: TensorScalar>(
    _ values: [Scalar], _ shape: [Int]? = nil, scale: Float? = nil, zeroPoint: Int32 = 0
  ) throws -> Operand {
    .input(try Tensor(values, shape: Shape(shape ?? [values.count])), scale: scale, zeroPoint: zeroPoint)
  }

  package static func input(_ tensor: Tensor, scale: Float? = nil, zeroPoint: Int32 = 0) -> Operand {
    Operand(
      add: { $0.input(tensor.elementType, tensor.shape.dimensions, scale: scale, zeroPoint: zeroPoint) },
      tensor: tensor)
  }

  /// Returns values that are part of the model.
  package static func constant<Scalar: TensorScalar>(
    _ values: [Scalar], _ shape: [Int]? = nil, scale: Float? = nil, zeroPoint: Int32 = 0
  ) -> Operand {
    Operand(add: { $0.constant(values, shape: shape, scale: scale, zeroPoint: zeroPoint) }, tensor: nil)
  }
}

/// A model of one node, run once.
package struct SingleNode: Sendable {
  package var kind: BuiltinOperator
  package var operands: [Operand]
  /// The types of the outputs, which share one quantization.
  package var results: [ElementType]
  package var scale: Float?
  package var zeroPoint: Int32 = 0
  package var options: WrittenOptions?
  package var version: Int

  package init(
    _ kind: BuiltinOperator, _ operands: [Operand], gives results: [ElementType], scale: Float? = nil,
    zeroPoint: Int32 = 0, options: WrittenOptions? = nil, version: Int = 1
  ) {
    self.kind = kind
    self.operands = operands
    self.results = results
    self.scale = scale
    self.zeroPoint = zeroPoint
    self.options = options
    self.version = version
  }

  package func run(_ runtime: RuntimeOptions = RuntimeOptions()) throws -> [Tensor] {
    var graph = TestGraph()
    let inputs = operands.map { $0.add(&graph) }
    let outputs = results.map { graph.output($0, [], scale: scale, zeroPoint: zeroPoint) }
    graph.add(kind, inputs, outputs, options: options, version: version)
    return try graph.session(options: runtime).run(operands.compactMap(\.tensor))
  }

  /// Runs the model and returns the first output.
  package func callAsFunction(_ numerics: Numerics = .fast) throws -> Tensor {
    try run(RuntimeOptions(numerics: numerics))[0]
  }
}
