import SwiftletEngine
import SwiftletSchema

/// TransformLandmarks: landmarks transformed by a matrix.
///
/// - Shapes: landmarks `[batch, points, d]` with `d` 2 or 3 (version 2), or any rank-4 shape whose last dimension
///   contains landmarks of `dimensions` numbers (version 1); matrix of 16 elements `[1, 4, 4]`; output like the
///   landmarks. The third number of a landmark is unchanged.
/// - Types: float32.
/// - Source: the MediaPipe operator of this name. Version 1 multiplies the matrix's translation by its option `scale`.
struct TransformLandmarksOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("TransformLandmarks"), versions: 1...2, floatError: 1e-6, types: .uniform([.float32]))
  }

  private let version: Int
  /// The number of coordinates per landmark in version 1.
  private let declaredDimensions: Int
  private let scale: Float

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    version = node.version
    if version == 1 {
      let map = try node.description.customOptionValues()
      declaredDimensions = map["dimensions"].intValue
      scale = map["scale"].floatValue
      guard scale != 0, scale.isFinite else { throw node.invalid("has scale \(scale), it must not be 0") }
    } else {
      declaredDimensions = 0
      scale = 1
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    _ = try dimensions(node)
    guard try node.input(1).shape.elementCount == 16 else {
      throw node.invalid("takes a matrix of 16 elements, got \(try node.input(1))")
    }
    return [try node.input(0).shape]
  }

  private func dimensions(_ node: NodeView) throws -> Int {
    let points = try node.input(0)
    let dimensions = version == 1 ? declaredDimensions : points.shape.innermost
    guard points.shape.rank == (version == 1 ? 4 : 3), (2...3).contains(dimensions),
      points.shape.innermost % dimensions == 0
    else { throw node.invalid("takes points of 2 or 3 numbers, got \(points) with \(dimensions)") }
    return dimensions
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let dimensions = try dimensions(context.node)
    let count = try context.node.input(0).shape.elementCount / dimensions
    let source = try context.inputSlot(0)
    let matrix = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    let scale = scale
    return PreparedOperator(items: count, cost: 4) { run, range in
      var transform = PlaneTransform(run.pointer(matrix, as: Float.self))
      transform.x0 *= scale
      transform.y0 *= scale
      for index in range {
        let point = run.pointer(source, as: Float.self) + dimensions &* index
        let result = run.pointer(destination, as: Float.self) + dimensions &* index
        let moved = transform(point[0], point[1])
        if dimensions == 3 { result[2] = point[2] }
        result[0] = moved.x
        result[1] = moved.y
      }
    }
  }
}
