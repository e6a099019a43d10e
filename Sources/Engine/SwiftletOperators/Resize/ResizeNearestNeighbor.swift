import SwiftletEngine
import SwiftletSchema

/// RESIZE_NEAREST_NEIGHBOR: an image in another size, every pixel that of the input next to it.
///
/// - Shapes: input `[batch, height, width, channels]`; size `[2]`.
/// - Types: data of every type of whole bytes; size int32.
/// - Source: operator 97 of the model format; positions in single precision as in the reference.
struct ResizeNearestNeighborOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .resizeNearestNeighbor, versions: 1...4, types: .uniform(TypeSet.plain.types, then: .int32))
  }

  private let rule: ResizeRule

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    rule = ResizeRule(
      alignsCorners: try node.options[ResizeNearestNeighborOptions.alignCorners],
      hasHalfPixelCenters: try node.options[ResizeNearestNeighborOptions.halfPixelCenters])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try ResizeGeometry(node).outputShape] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let geometry = try ResizeGeometry(node)
    guard geometry.outputShape.elementCount > 0 else { return .empty }
    try geometry.requireTables(context)
    let rows = rule.nearest(input: geometry.inputHeight, output: geometry.outputHeight)
    let pixelBytes = geometry.channels * (try node.elementBytes(ofInput: 0))
    let columns = rule.nearest(input: geometry.inputWidth, output: geometry.outputWidth).map { $0 * pixelBytes }
    let inputRowBytes = geometry.inputWidth * pixelBytes
    let outputRowBytes = geometry.outputWidth * pixelBytes
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let cost = Double(outputRowBytes) * 0.05 + Double(columns.count) * 2

    return PreparedOperator(items: geometry.batch * rows.count, cost: cost) { run, items in
      let from = run.pointer(source)
      let to = run.pointer(destination)
      var previous = -1
      for item in items {
        let (image, row) = item.quotientAndRemainder(dividingBy: rows.count)
        let inputRow = image &* geometry.inputHeight &+ rows[row]
        let target = to.advanced(by: item &* outputRowBytes)
        if inputRow == previous {
          target.copyMemory(from: target.advanced(by: 0 &- outputRowBytes), byteCount: outputRowBytes)
          continue
        }
        previous = inputRow
        let base = from.advanced(by: inputRow &* inputRowBytes)
        columns.withUnsafeBufferPointer { columns in
          for column in 0..<columns.count {
            moveBytes(
              pixelBytes, from: base.advanced(by: columns[column]), to: target.advanced(by: column &* pixelBytes))
          }
        }
      }
    }
  }
}

extension ResizeRule {
  /// The input pixel of every output pixel.
  fileprivate func nearest(input: Int, output: Int) -> [Int] {
    let scale = scale(input: input, output: output)
    let offset: Float = hasHalfPixelCenters ? 0.5 : 0
    return (0..<output).map { position in
      let exact = (Float(position) + offset) * scale
      return min(max(0, Int(alignsCorners ? exact.rounded(.toNearestOrAwayFromZero) : exact.rounded(.down))), input - 1)
    }
  }
}
